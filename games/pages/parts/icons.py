"""The icons that the templates use, by the file in which a page loads them.

The page of a table beside its board has a file of its own: its first visit is small.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from django.conf import settings

TABLE, OTHERS = "njet/icons.svg", "njet/more-icons.svg"
FOLDERS = ("games/table", "games/parts")
"""The folders of the templates of a table."""
USE = re.compile(r"""{% icon ["']([a-z0-9-]+)["']""")


@cache
def icons() -> dict[str, list[str]]:
    """The names of the icons by file, sorted.  Those of a table stand in its file only."""
    root = Path(settings.BASE_DIR) / "templates"
    of_table = _used(root / "base.html", *(each for folder in FOLDERS for each in (root / folder).glob("*.html")))
    return {TABLE: sorted(of_table), OTHERS: sorted(_used(*root.rglob("*.html")) - of_table)}


def file_of(name: str) -> str:
    """The file with an icon."""
    return TABLE if name in icons()[TABLE] else OTHERS


def _used(*templates: Path) -> set[str]:
    return {name for template in templates for name in USE.findall(template.read_text())}
