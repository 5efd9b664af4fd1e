"""The secret key, which the first start keeps in the data directory."""

import os
import secrets
import tempfile
from pathlib import Path

from django.conf import settings


def is_kept() -> bool:
    """Whether the next process will have the same key."""
    if not settings.SECRET_KEY_IS_TEMPORARY:
        return True
    file = settings.SECRET_KEY_FILE
    return file.exists() and secrets.compare_digest(file.read_text(encoding="utf-8"), settings.SECRET_KEY)


def keep() -> None:
    """Keep the key of this process, in a temporary file first, so that a crash leaves no partial key."""
    if is_kept():
        return
    descriptor, aside = tempfile.mkstemp(dir=settings.DATA_DIR)  # made with mode 0600
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(settings.SECRET_KEY)
        file.flush()
        os.fsync(file.fileno())
    Path(aside).replace(settings.SECRET_KEY_FILE)
