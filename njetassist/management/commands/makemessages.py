"""`manage.py makemessages`: writes what is marked for translation into the catalogues of `games/locale`.

Without arguments it is the project's way: all languages, files without line numbers, nothing that is no longer used,
and no guesses out of similar texts.  Needs GNU gettext.
"""

from typing import Any

from django.core.management.base import CommandParser
from django.core.management.commands import makemessages


class Command(makemessages.Command):
    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(add_location="file", no_obsolete=True, ignore_patterns=["tests"])

    def handle(self, *args: Any, **options: Any) -> None:
        self.msgmerge_options = [*self.msgmerge_options, "--no-fuzzy-matching"]
        super().handle(*args, **{**options, "all": not options["locale"]})
