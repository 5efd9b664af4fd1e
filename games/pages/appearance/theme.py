"""Which theme a browser has chosen, and when the style sheet of the dark theme applies to it."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

AUTO = "auto"

# A sheet is printed in the light theme.
THEMES = (
    (AUTO, _("As this phone is set"), "screen and (prefers-color-scheme: dark)"),
    ("light", _("Light"), "not all"),
    ("dark", _("Dark"), "screen"),
)
"""Each theme, its name on the pages, and the media query of the dark style sheet."""

DARK_MEDIA = {theme: media for theme, _name, media in THEMES}
"""The media query of the dark style sheet, by theme."""


def theme_of(request: HttpRequest) -> str:
    """The theme of this browser: a name of `DARK_MEDIA`."""
    kept = request.COOKIES.get(settings.THEME_COOKIE_NAME, AUTO)
    return kept if kept in DARK_MEDIA else AUTO


def context(request: HttpRequest) -> dict[str, str]:
    """What every page reads (a context processor)."""
    return {"dark_media": DARK_MEDIA[theme_of(request)]}
