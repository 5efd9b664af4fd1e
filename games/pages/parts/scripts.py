"""Which files a script of a page is: a bundle is one file where static files are collected, else each of its parts."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage


def files_of(name: str) -> Sequence[str]:
    """The names of the static files."""
    return [name] if hasattr(staticfiles_storage, "hashed_files") else settings.BUNDLES.get(name, [name])
