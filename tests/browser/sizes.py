"""The screens that the journeys and audits look at, stated once."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Size:
    """A screen in CSS pixels."""

    width: int
    height: int

    def __str__(self) -> str:
        return f"{self.width}x{self.height}"


SMALL = Size(320, 568)
PHONE = Size(360, 640)
LARGE_PHONE = Size(390, 844)
SIDEWAYS = Size(640, 360)
TURNED = Size(844, 390)
TABLET = Size(768, 1024)
LAPTOP = Size(1280, 800)
TELEVISION = Size(1920, 1080)

SIZES = (SMALL, PHONE, LARGE_PHONE, SIDEWAYS, TURNED, TABLET, LAPTOP, TELEVISION)
