"""The finished games of a group as a feed (Atom, RFC 4287), for readers of news and calendars.

Must not know: the database, addresses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import uuid5

from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import gettext as _

from games.formats import summary
from games.formats.play import NAMESPACE, PROGRAM
from games.formats.summary import Standing


@dataclass(frozen=True, slots=True)
class Entry:
    """A finished game.  `page`: its address; `standings`: from the first place on; `played`: of it the day is said;
    `changed`: when it was last corrected, its end if never.
    """

    game_id: str
    page: str
    standings: Sequence[Standing]
    played: datetime
    place: str
    ended: datetime
    changed: datetime


def feed(
    *, group: tuple[str, str], page: str, address: str, language: str, began: datetime, entries: Sequence[Entry]
) -> str:
    """The feed of a group (id and name), which is at `address`: the same games give the same text.

    `page`: the address of the group; `began`: when it was created, which is the feed's time as long as it is empty.
    """
    group_id, name = group
    written = _Feed(
        title=_("NJET: {group}").format(group=name),
        link=page,
        description="",
        language=language,
        author_name=PROGRAM,
        feed_url=address,
        feed_guid=_id("group", group_id),
        began=began,
    )
    for entry in entries:
        written.add_item(
            title=summary.sentence(entry.standings),
            link=entry.page,
            # As HTML, which is what readers take it for.
            description=escape(summary.line(entry.standings, entry.played, entry.place)),
            unique_id=_id("game", entry.game_id),
            pubdate=entry.ended,
            updateddate=entry.changed,
        )
    return written.writeString("utf-8")


def _id(kind: str, key: str) -> str:
    return uuid5(NAMESPACE, f"{kind}:{key}").urn


class _Feed(Atom1Feed):
    def latest_post_date(self) -> datetime:
        if not self.items:
            began: datetime = self.feed["began"]
            return began
        return super().latest_post_date()
