"""Compiles the translations: `games/locale` has the sources, the data directory what Django reads.

Babel does it, so that no system needs GNU gettext.
"""

from __future__ import annotations

import os
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.conf import settings

SOURCES = settings.BASE_DIR / "games" / "locale"


def compile_into(folder: Path) -> list[str]:
    """Compile into this folder the catalogues that have changed since.  Returns their languages."""
    compiled = []
    for source in sorted(SOURCES.glob("*/LC_MESSAGES/django.po")):
        target = folder / source.relative_to(SOURCES).with_suffix(".mo")
        written = source.stat().st_mtime_ns
        if target.exists() and target.stat().st_mtime_ns == written:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        # Another process may read the old one now, or compile it too.
        whole = target.with_name(f"{target.name}.{os.getpid()}")
        with source.open("rb") as texts, whole.open("wb") as file:
            write_mo(file, read_po(texts, abort_invalid=True))
        os.utime(whole, ns=(written, written))
        whole.replace(target)
        compiled.append(source.parts[-3])
    return compiled
