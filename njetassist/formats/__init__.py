"""How a language writes dates, where Django's own way is not ours (`FORMAT_MODULE_PATH`)."""
