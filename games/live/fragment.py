"""The changing part of a page, and how it goes over the wire: compressed once, for every phone that gets it.

A fragment is compressed alone and ends on a byte, without the end of a gzip file: such pieces can follow one another in
a stream.  The text of an event stands between them uncompressed.
"""

from __future__ import annotations

import secrets
import struct
import zlib
from dataclasses import dataclass
from functools import cached_property

HEADER = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
"""The begin of a gzip file without a name and a time."""
EMPTY = b"\0\0\0\xff\xff"
"""A block with nothing in it."""
MOST_PADDING = 20
"""The most empty blocks after a fragment.  Their random number hides the length of what was compressed."""


@dataclass(frozen=True)
class Fragment:
    """A rendered template.  What belongs to one phone is still a mark in it (see `games.pages.page_cache`)."""

    version: int
    content: bytes

    @cached_property
    def piece(self) -> bytes:
        """The content as a piece of a compressed stream."""
        compressor = zlib.compressobj(wbits=-zlib.MAX_WBITS)
        compressed = compressor.compress(self.content) + compressor.flush(zlib.Z_SYNC_FLUSH)
        return compressed + EMPTY * secrets.randbelow(MOST_PADDING + 1)

    @cached_property
    def gzip(self) -> bytes:
        """The content as a gzip file."""
        return HEADER + self.piece + end_of(zlib.crc32(self.content), len(self.content))


def stored(text: bytes) -> bytes:
    """A text as a piece that is not compressed."""
    blocks = (text[start : start + 0xFFFF] for start in range(0, len(text), 0xFFFF))
    return b"".join(struct.pack("<BHH", 0, len(block), len(block) ^ 0xFFFF) + block for block in blocks)


def end_of(checksum: int, length: int) -> bytes:
    """The end of a gzip file, by the checksum and the length of its content."""
    return b"\x03\0" + struct.pack("<LL", checksum, length & 0xFFFFFFFF)
