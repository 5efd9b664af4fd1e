"""The theme of the pages: light, dark, or as the browser is set."""
