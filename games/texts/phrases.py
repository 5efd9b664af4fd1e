"""What players say to each other at a digital table: fixed phrases, each read in the language of its reader."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PHRASES: dict[str, str | Promise] = {
    "well-played": _("Well played!"),
    "thanks": _("Thank you!"),
    "sorry": _("Sorry!"),
    "wait": _("One moment, please."),
    "luck": _("Good luck!"),
    # All hear it, and it is true for each of them.
    "turn": _("Whose turn is it?"),
}
