"""The link that hands a game to BG Stats: its address carries the whole play as JSON.

Knows: the fields of `createPlay`, as bgstatsapp.com describes them for other programs, and how long a link may be.
Must not know: how the link is shown (a button, a QR code), the address of this server.

A play that arrives a second time is recognised by `sourceName` and `sourcePlayId`, a player by `sourcePlayerId`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import accumulate
from urllib.parse import quote

from django.utils.translation import gettext as _

from games.formats.play import GAME_ID, GAME_NAME, PROGRAM, Play, board, lines, remarks, stamp

ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="

LONGEST_LINK = 8_000
"""In characters.  Longer ones are cut off, or refused, by browsers and servers on the way."""


def document(play: Play, *, bgg_id: int | None = None, longest: int = LONGEST_LINK) -> dict[str, object]:
    """The play as BG Stats reads it, with as many lines of comment as fit into a link of `longest` characters.

    There are no teams, since they change every round.  `bgg_id`: the number of the game at BoardGameGeek, if known.
    """
    game: dict[str, object] = {"name": GAME_NAME, "sourceGameId": GAME_ID}
    if bgg_id is not None:
        game["bggId"] = bgg_id
    # BG Stats on Android refuses a play in which one of the truth values is left out.
    game |= {"highestWins": True, "noPoints": False}
    found: dict[str, object] = {
        "sourceName": PROGRAM,
        "sourcePlayId": play.game_id,
        "playDate": stamp(play.ended),
        "durationMin": play.minutes,
        "board": board(play),
        "comments": "",
        "game": game,
        "players": _players(play),
    }
    found["comments"] = _fitting([*remarks(play), *lines(play)], room=longest - len(_link(found)))
    return found


def link(play: Play, *, bgg_id: int | None = None, longest: int = LONGEST_LINK) -> str:
    """The link that creates the play.

    Never longer than `longest`, as long as that leaves room for a play without comments: names of five times 40
    characters, four bytes each, take 3,700; four ordinary names to 1,200.
    """
    return _link(document(play, bgg_id=bgg_id, longest=longest))


def _players(play: Play) -> list[dict[str, object]]:
    totals, ranks, winners = play.state.totals, play.state.ranks, play.state.winners
    return [
        {
            "name": name,
            "sourcePlayerId": person.id,
            "startPlayer": seat == play.first_placer,
            "score": totals[seat],
            "rank": ranks[seat],
            "winner": seat in winners,
        }
        for seat, (person, name) in enumerate(zip(play.people, play.names, strict=True))
    ]


def _link(found: dict[str, object]) -> str:
    return ADDRESS + quote(json.dumps(found, ensure_ascii=False, separators=(",", ":")), safe="")


def _fitting(sentences: Sequence[str], *, room: int) -> str:
    """As many whole lines as `room` characters of a link hold, the last one saying so if they are not all."""
    whole = "\n".join(sentences)
    if _length(whole) <= room:
        return whole
    last = _("The rest did not fit into the link.")
    left = room - _length(last)
    if left < 0:
        return ""
    ends = accumulate(_length(f"{line}\n") for line in sentences)
    return "\n".join([*(line for line, end in zip(sentences, ends, strict=True) if end <= left), last])


def _length(text: str) -> int:
    """How many characters of a link a text takes inside of its quotation marks."""
    return len(quote(json.dumps(text, ensure_ascii=False)[1:-1], safe=""))
