#!/usr/bin/env python
"""The way in for every command. Knows only which settings to load."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line


def main() -> None:
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
