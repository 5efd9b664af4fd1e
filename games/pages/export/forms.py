"""The form that imports a game: a file, or its text."""

from __future__ import annotations

import codecs
import json
import re

from django import forms

from games.formats import document as records
from games.formats import pasted
from games.formats.document import Imported
from games.pages.forms import Form, TextField
from games.rules import NjetError
from games.rules.errors import Malformed

# Blanks, or the marks of a quoted mail, may stand before it.
_IS_JSON = re.compile(r"[\s\ufeff>]*\{")


class ImportForm(Form):
    """A finished game as `njet` text or as `json`, and the group that takes it.

    `sure`: the new names that were asked about.  `content`: the text that was read.
    """

    file = forms.FileField(required=False, allow_empty_file=True)
    text = TextField()
    group = TextField()
    sure = TextField()
    content = ""

    def read(self) -> Imported:
        """The game.

        Errors: `Malformed`, `NotationError`, and the refusals of the rules.
        """
        text = self.content = self._uploaded() or self.cleaned_data["text"]
        if not text.strip():
            raise Malformed(problem="no file")
        if not _IS_JSON.match(text):
            if "[Format" not in text:
                raise Malformed(problem="no game")
            return records.read_text(text)
        try:
            document = pasted.parsed(text)
        except json.JSONDecodeError as error:
            raise Malformed(problem="no json there", line=error.lineno, column=error.colno) from error
        except (ValueError, RecursionError) as error:
            raise Malformed(problem="no json") from error
        return records.read_document(document)

    def field_about(self, refusal: NjetError) -> str | None:
        """A game that cannot be read is refused where it was given; a group at its own field."""
        if refusal.code in ("forbidden", "not_found"):
            return "group"
        return "file" if self.cleaned_data.get("file") else "text"

    def _uploaded(self) -> str:
        uploaded = self.cleaned_data["file"]
        if uploaded is None:
            return ""
        content = uploaded.read()
        # Windows also writes UTF-16, always with its mark.
        encoding = "utf-16" if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8"
        try:
            return str(content, encoding)
        except UnicodeDecodeError as error:
            raise Malformed(problem="no game") from error
