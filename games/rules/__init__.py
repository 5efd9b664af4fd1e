"""The rules of NJET: pure, standard library only.

A tour.  Three friends play by the Dutch text of 1997; the first round is entered:

>>> from games.rules import *
>>> setup = Setup.of(preset="goldsieber-dutch", names=["Angy", "Biggy", "Chris"])
>>> state = PublicState.start(setup)
>>> state.phase.value, state.acting_seats, state.markers_left
('placing', (1,), (4, 5, 5))
>>> state = state.apply(Place(RowKey.TRUMP, "red"))
>>> state.apply(Place(RowKey.TRUMP, "red"))
Traceback (most recent call last):
games.rules.errors.SpaceCovered: The space “red” of the row “trump” is covered already.

The rest of the board goes in at once, Angy plays alone, and the tally is the example of the Dutch rules:

>>> state = state.apply(EnterConditions("0", "njet", "blue", "black", "2"))
>>> state.acting_seats, state.current.conditions.trump.value
((0,), 'blue')
>>> state = state.apply(NameTeam(partners=(), monster=0))
>>> state = state.apply(RecordTally(tricks=(5, 4, 3), captured=(1, 1, 1)))
>>> state.totals, state.finished[0].score.own.formula
((24, 18, 18), '(5 + 1) × 2 × 2 = 24')

Actions are read from JSON and written to it, and a log of them is folded, corrected and undone:

>>> from_json({"type": "trick", "winner": 2, "captured": 1})
RecordTrick(winner=2, captured=1)
>>> log = [ActionEntry(1, Place(RowKey.POINTS, "4")), UndoEntry(2, undoes=1)]
>>> replay(setup, log).state == PublicState.start(setup)
True
"""

from games.rules.actions import (
    Action,
    AddPenalty,
    Claim,
    Deal,
    Discard,
    EnterConditions,
    Finish,
    Hidden,
    NameTeam,
    Pass,
    Place,
    Play,
    RecordTally,
    RecordTrick,
    VoidRound,
    from_json,
    kind_of,
    to_json,
)
from games.rules.board import ENTRY, Board, Conditions, Row
from games.rules.cards import Card, Suit, parse_hand
from games.rules.editions import EDITIONS, NJET, Edition, RowKey
from games.rules.errors import IllegalAction, IllegalSetup, Malformed, NjetError
from games.rules.options import Options, allowed_values
from games.rules.public import PublicState, Template
from games.rules.replay import (
    ActionEntry,
    AmendEntry,
    DeleteAction,
    InsertAction,
    Key,
    LockEntry,
    ReplaceAction,
    SetupEntry,
    UndoEntry,
    amended,
    effective,
    fold,
    replay,
)
from games.rules.rounds import FinishedRound, PenaltyLine, Phase, Round, Trick
from games.rules.ruleset import DEFAULT_PRESET, PRESETS, Preset, Ruleset, find_preset
from games.rules.scoring import RoundScore, TallyBounds, TeamScore, Won, ranks, score_round
from games.rules.setup import SeatSetup, Setup
from games.rules.teams import Teams, choices
from games.rules.tricks import Reason, TrickRules

RULES_VERSION = 1
"""Stored with each game: what a log means may only change together with this number."""

__all__ = [
    "DEFAULT_PRESET",
    "EDITIONS",
    "ENTRY",
    "NJET",
    "PRESETS",
    "RULES_VERSION",
    "Action",
    "ActionEntry",
    "AddPenalty",
    "AmendEntry",
    "Board",
    "Card",
    "Claim",
    "Conditions",
    "Deal",
    "DeleteAction",
    "Discard",
    "Edition",
    "EnterConditions",
    "Finish",
    "FinishedRound",
    "Hidden",
    "IllegalAction",
    "IllegalSetup",
    "InsertAction",
    "Key",
    "LockEntry",
    "Malformed",
    "NameTeam",
    "NjetError",
    "Options",
    "Pass",
    "PenaltyLine",
    "Phase",
    "Place",
    "Play",
    "Preset",
    "PublicState",
    "Reason",
    "RecordTally",
    "RecordTrick",
    "ReplaceAction",
    "Round",
    "RoundScore",
    "Row",
    "RowKey",
    "Ruleset",
    "SeatSetup",
    "Setup",
    "SetupEntry",
    "Suit",
    "TallyBounds",
    "TeamScore",
    "Teams",
    "Template",
    "Trick",
    "TrickRules",
    "UndoEntry",
    "VoidRound",
    "Won",
    "allowed_values",
    "amended",
    "choices",
    "effective",
    "find_preset",
    "fold",
    "from_json",
    "kind_of",
    "parse_hand",
    "ranks",
    "replay",
    "score_round",
    "to_json",
]
