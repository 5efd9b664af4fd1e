"""A made-up language: every letter of every text that is marked for translation comes back as another.

What still has Latin letters on a page is not marked, or put together from pieces that are not.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from django.test import override_settings
from django.utils.translation import trans_real
from django.utils.translation.trans_real import CONTEXT_SEPARATOR

from tests.cast.pages import Node, read_html

CODE = "eo"
"""Its code: that of a language that Django knows and this project does not."""

# Placeholders, tags and named characters stay as they are.
KEPT = re.compile(r"(\{[^{}]*\}|%\(\w+\)[sd]|%[sd%]|<[^>]*>|&#?\w+;)")
OTHER_LETTERS = {
    code: code - ord(first) + ord(other)
    for first, last, other in (("a", "z", "ａ"), ("A", "Z", "Ａ"))
    for code in range(ord(first), ord(last) + 1)
}
WORD = re.compile(r"[A-Za-z]{2,}")

READ_OUT = ("alt", "aria-description", "aria-label", "aria-roledescription", "content", "placeholder", "title")
"""The attributes that people read, beside those of `data-`, which scripts show."""
BUTTONS = {"submit", "button", "reset"}
UNREAD = {"code", "kbd", "script", "style", "textarea"}
"""Elements whose text is none of a language."""


def changed(text: str) -> str:
    """A text in the made-up language."""
    parts = KEPT.split(text.rpartition(CONTEXT_SEPARATOR)[2])
    return "".join(part if place % 2 else part.translate(OTHER_LETTERS) for place, part in enumerate(parts))


class MadeUp(gettext.NullTranslations):
    """The catalogue of the made-up language."""

    def gettext(self, message: str) -> str:
        return changed(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return changed(msgid1 if n == 1 else msgid2)

    def language(self) -> str:
        return CODE

    def to_language(self) -> str:
        return CODE


@contextmanager
def spoken() -> Iterator[None]:
    """Browsers and programs may ask for the made-up language while the block runs."""
    known = dict(trans_real._translations)
    with override_settings(LANGUAGES=[("en", "English"), (CODE, "Esperanto")]):
        trans_real._translations[CODE] = MadeUp()
        try:
            yield
        finally:
            trans_real._translations = known


def untranslated(html: str, allowed: Collection[str] = ()) -> list[str]:
    """The texts of a page that have Latin words, other than those that are allowed."""
    return [text for text in dict.fromkeys(texts_of(read_html(html))) if _words(text) - set(allowed)]


def texts_of(node: Node) -> Iterator[str]:
    """What people see, hear or are shown by scripts, text by text."""
    if node.tag in UNREAD or node.attrs.get("translate") == "no":
        return
    for name, value in node.attrs.items():
        is_read = name in READ_OUT or (name == "value" and node.attrs.get("type") in BUTTONS)
        # Several words: no code, address or number.
        if (is_read and not _is_technical(node)) or (name.startswith("data-") and " " in value and "<" not in value):
            yield value
    for child in node.inside:
        if isinstance(child, Node):
            yield from texts_of(child)
        elif child.strip():
            yield " ".join(child.split())


def _is_technical(node: Node) -> bool:
    return node.tag == "meta" and node.attrs.get("name") != "description"


# Addresses, codes, placeholders that scripts fill in, JSON for scripts: none of them is of a language.
NO_WORD = re.compile(r"\bhttps?://\S+|\btestserver\S*|[\w.]+@\S+|\b[0-9A-Z]{4}-[0-9A-Z]{4}\b|\{.*?\}|\w+[_:]\S*")


def _words(text: str) -> set[str]:
    return set(WORD.findall(NO_WORD.sub("", text)))
