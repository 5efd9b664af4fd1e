"""What these tests share."""

from tests.cast.fixtures import nothing_kept as nothing_kept
