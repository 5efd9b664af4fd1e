"""The `.bgsplay` file that BG Stats imports: one or many games with their players and groups.

Knows: the fields of BG Stats' own export files.  Must not know: which games somebody asked for.

Every uuid is made of our own ids, so that the same game, player or group imported a second time is updated and not
added.  The numbers `id` and `…RefId` hold only within a file.

A file has every key that all entries have in the exports of its versions 5 and 6 (2,964 plays, 834 games), with the
value that means “not known” or “none” in them; but not what describes the app and the phone that wrote a file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import uuid5

from django.utils.translation import gettext as _

from games.formats.play import GAME_ID, GAME_NAME, NAMESPACE, PROGRAM, Play, board, lines, remarks, stamp
from games.rules.ruleset import FEWEST_PLAYERS, MOST_PLAYERS
from games.rules.text import clean_line

Document = dict[str, Any]

Latest = dict[str, tuple[str, datetime]]
"""By our id: the name, and the end of the last game in which it was so called."""

NO_ID = 0
"""The number of what is not known to another program."""

NOT_A_PLAYER = 0
"""The number of no player.  Which of them owns the BG Stats that opens the file is not known here."""


def document(plays: Sequence[Play], *, bgg_id: int | None = None, made_at: datetime) -> Document:
    """The file's content: the games in the order in which they ended, each once however often it is given.

    `bgg_id`: the number of the game at BoardGameGeek, if known.  `made_at`: when the file is made, with a time zone;
    it changes nothing that is imported.
    """
    once = {play.game_id: play for play in plays}
    ordered = sorted(once.values(), key=lambda play: (play.ended, play.game_id))
    players: Latest = {
        person.id: (name, play.ended) for play in ordered for person, name in zip(play.people, play.names, strict=True)
    }
    groups: Latest = {play.group[0]: (clean_line(play.group[1]), play.ended) for play in ordered if play.group}
    games: Latest = {GAME_ID: (GAME_NAME, ordered[-1].ended)} if ordered else {}
    return {
        "about": _("Plays of {game}, written by {program} for BG Stats.").format(game=GAME_NAME, program=PROGRAM),
        "tags": [],
        "groups": [],
        "players": [{**each, "isAnonymous": False} for each in _entries("player", players)],
        "locations": _entries("location", groups),
        "games": [{**each, **_game_facts(bgg_id)} for each in _entries("game", games)],
        "plays": [_play(play, players=_numbers(players), locations=_numbers(groups)) for play in ordered],
        "challenges": [],
        "deletedObjects": [],
        "userInfo": {"meRefId": NOT_A_PLAYER, "exportDate": stamp(made_at)},
    }


def text(plays: Sequence[Play], *, bgg_id: int | None = None, made_at: datetime) -> str:
    """The file as it is written, in UTF-8: the same games and the same time give the same text."""
    return json.dumps(document(plays, bgg_id=bgg_id, made_at=made_at), ensure_ascii=False, indent=2) + "\n"


def _entries(kind: str, latest: Latest) -> list[Document]:
    numbers = _numbers(latest)
    return [
        {"uuid": _uuid(kind, key), "id": numbers[key], "name": name, "modificationDate": stamp(changed)}
        for key, (name, changed) in latest.items()
    ]


def _numbers(latest: Latest) -> dict[str, int]:
    return {key: number for number, key in enumerate(latest, start=1)}


def _uuid(kind: str, key: str) -> str:
    return str(uuid5(NAMESPACE, f"{kind}:{key}"))


def _game_facts(bgg_id: int | None) -> Document:
    """What is true of the game.  The zeros are what a game has that was added by hand."""
    zeros = ("bggYear", "rating", "minPlayTime", "maxPlayTime", "minAge", "preferredImage", "previouslyPlayedAmount")
    return {
        "cooperative": False,
        "highestWins": True,
        "noPoints": False,
        "usesTeams": False,
        "bggId": bgg_id or NO_ID,
        "isBaseGame": 1,
        "isExpansion": 0,
        "minPlayerCount": FEWEST_PLAYERS,
        "maxPlayerCount": MOST_PLAYERS,
        **dict.fromkeys(zeros, 0),
        "copies": [],
    }


def _play(play: Play, *, players: Mapping[str, int], locations: Mapping[str, int]) -> Document:
    ended = stamp(play.ended)
    found = {
        "uuid": _uuid("play", play.game_id),
        "modificationDate": stamp(play.last_change),
        "entryDate": ended,
        "playDate": ended,
        "usesTeams": False,
        "durationMin": play.minutes,
        "ignored": False,
        "manualWinner": False,
        "rounds": play.state.rounds_on_sheet,
        # Neither posted to BoardGameGeek or NemeStats nor imported from there, and not rated.
        "bggId": NO_ID,
        "importPlayId": NO_ID,
        "nemestatsId": NO_ID,
        "rating": 0,
        "gameRefId": 1,
        "board": board(play),
        "comments": "\n".join([*remarks(play), *lines(play)]),
        "scoringSetting": 0,
        "playerScores": _scores(play, players),
        "expansionPlays": [],
    }
    return found if play.group is None else {**found, "locationRefId": locations[play.group[0]]}


def _scores(play: Play, players: Mapping[str, int]) -> list[Document]:
    totals, ranks, winners = play.state.totals, play.state.ranks, play.state.winners
    return [
        {
            # A text: BG Stats takes sums like “12+5” here as well.
            "score": str(totals[seat]),
            "winner": seat in winners,
            "newPlayer": False,
            "startPlayer": seat == play.first_placer,
            "playerRefId": players[person.id],
            "rank": ranks[seat],
            "seatOrder": seat + 1,
        }
        for seat, person in enumerate(play.people)
    ]
