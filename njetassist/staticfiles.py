"""Collects the static files, and only if they have changed: hashing and compressing them takes seconds."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import rcssmin
import rjsmin
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.finders import AppDirectoriesFinder
from django.core.files.base import ContentFile, File
from django.core.management import call_command
from whitenoise.storage import CompressedManifestStaticFilesStorage

# No page uses these: DRF's browsable API is off, and the API's page is Swagger UI.
UNUSED_APPS = {"rest_framework"}
UNUSED_FILES = ["redoc", "*.map"]

FINGERPRINT = "static.sha256"

MINIFIERS = {".css": rcssmin.cssmin, ".js": rjsmin.jsmin}


class UsedAppFiles(AppDirectoriesFinder):
    """The static files of the installed apps without those that no page uses (≈ 30 MB collected)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.apps = [app for app in self.apps if app not in UNUSED_APPS]
        self.storages = {app: self.storages[app] for app in self.apps}

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Any]]:
        yield from super().list([*(ignore_patterns or []), *UNUSED_FILES])


class Storage(CompressedManifestStaticFilesStorage):
    """Names with a hash, compressed once; our own style sheets and scripts without comments and layout.

    References to source maps stay as they are: source maps are not collected.
    """

    patterns = tuple(
        (
            extension,
            tuple(pattern for pattern in patterns if "sourceMappingURL" not in str(pattern)),
        )
        for extension, patterns in CompressedManifestStaticFilesStorage.patterns
    )

    def _save(self, name: str, content: File[Any]) -> str:
        if name.startswith("njet/") and (minify := MINIFIERS.get(Path(name).suffix)):
            # In chunks, because a style sheet that was hashed has been read to its end.
            content = ContentFile(minify(b"".join(content.chunks()).decode()).encode())
        saved: str = super()._save(name, content)  # type: ignore[misc]  # (the stubs leave out private methods)
        return saved


def fingerprint() -> str:
    """A hash of the names and contents of all files to collect, and of how they are collected."""
    way = f"{settings.STORAGES['staticfiles']['BACKEND']} {rcssmin.__version__} {rjsmin.__version__}"
    digest = hashlib.sha256(way.encode())
    for finder in finders.get_finders():
        for path, storage in finder.list([]):
            digest.update(b"\0" + path.encode() + b"\0" + Path(storage.path(path)).read_bytes())
    return digest.hexdigest()


def collect() -> bool:
    """Collect the files if something has changed since the last time. Answers whether it did."""
    present = fingerprint()
    remembered = settings.DATA_DIR / FINGERPRINT
    manifest = Path(settings.STATIC_ROOT) / "staticfiles.json"
    if manifest.exists() and remembered.exists() and remembered.read_text() == present:
        return False
    call_command("collectstatic", interactive=False, verbosity=0)
    remembered.write_text(present)
    return True
