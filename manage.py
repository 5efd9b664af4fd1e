#!/usr/bin/env python
"""Runs the management commands. Knows only which settings to load."""

import gc
import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line


def main() -> None:
    # What a command imports stays: looking through it after every 700 objects takes a sixth of a start.
    gc.set_threshold(50_000)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "njetassist.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        # A wrong setting is the operator's to mend: the sentence helps, the stack does not.
        if "--traceback" in sys.argv:
            raise
        sys.exit(f"{error}")


if __name__ == "__main__":
    main()
