"""The REST interface: programs read and write games, exactly as its own schema says."""
