"""The form that imports a game: a file, or its text."""

from __future__ import annotations

import json

from django import forms

from games.formats import document as records
from games.formats.document import Imported
from games.pages.forms import Form, TextField
from games.rules import NjetError
from games.rules.errors import Malformed


class ImportForm(Form):
    """A finished game as `njet` text or as `json`, and the group that takes it."""

    file = forms.FileField(required=False, allow_empty_file=True)
    text = TextField()
    group = TextField()

    def read(self) -> Imported:
        """The game.

        Errors: `Malformed`, `NotationError`, and the refusals of the rules.
        """
        text = self._uploaded() or self.cleaned_data["text"]
        if not text.strip():
            raise Malformed(problem="no file")
        if not text.lstrip("\ufeff \t\r\n").startswith("{"):
            if "[Format" not in text:
                raise Malformed(problem="no game")
            return records.read_text(text)
        try:
            document = json.loads(text.lstrip("\ufeff"))
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
        try:
            return str(uploaded.read(), "utf-8")
        except UnicodeDecodeError as error:
            raise Malformed(problem="no game") from error
