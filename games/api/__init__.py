"""The REST interface: programs read and write tables here, exactly as its own schema says."""
