"""The icons that the templates use, by the file in which a page loads them.

The page of a table beside its board has a file of its own, and so has the digital table: their first visits are small.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from django.conf import settings

TABLE, DIGITAL, OTHERS = "njet/icons.svg", "njet/digital-icons.svg", "njet/more-icons.svg"
TEMPLATES = {
    TABLE: ("base.html", "games/table/*.html", "games/parts/*.html"),
    DIGITAL: ("games/digital/*.html",),
    OTHERS: ("**/*.html",),
}
"""The templates for which there is each file, as patterns.  An icon stands in the first file that needs it."""
USE = re.compile(r"""(?:{% (?:icon|link_row|menu_row) | symbol=)["']([a-z0-9-]+)["']""")


@cache
def icons() -> dict[str, list[str]]:
    """The names of the icons by file, sorted."""
    found: dict[str, list[str]] = {}
    root = Path(settings.BASE_DIR) / "templates"
    for file, patterns in TEMPLATES.items():
        used = _used(each for pattern in patterns for each in root.glob(pattern))
        found[file] = sorted(used.difference(*found.values()))
    return found


@cache
def file_of(name: str) -> str:
    """The file with an icon; the last one for a name that no template has."""
    return next((file for file, names in icons().items() if name in names), OTHERS)


def _used(templates: Iterable[Path]) -> set[str]:
    return {name for template in templates for name in USE.findall(template.read_text())}
