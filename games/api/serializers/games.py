"""Requests to open a game and to change it, and what they are answered with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any, get_args, get_type_hints

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from games.api.serializers.actions import ActionField
from games.api.serializers.fields import (
    LAST_SEAT,
    OPTIONAL,
    Answer,
    AnyField,
    AsIs,
    Choice,
    Count,
    CreationRequestSerializer,
    Flag,
    ListOf,
    Name,
    Number,
    RuledList,
    RuledWhole,
    SeatNumber,
    Strict,
    StrictSerializer,
    Text,
    UtcTime,
    WriteRequestSerializer,
)
from games.api.serializers.keys import LinksSerializer
from games.api.serializers.state import StandingChangeSerializer, StateSerializer
from games.bots import LEVELS
from games.models import Mode
from games.rules import Setup
from games.rules.entries import changes_from_json
from games.rules.errors import Malformed, WrongType
from games.rules.occasion import LONGEST_PLAY, Occasion
from games.rules.options import MOST_ROUNDS, NUMBERS, Options
from games.rules.paper import LARGEST_TOTAL, PaperSheet
from games.rules.replay import InsertAction
from games.rules.ruleset import FEWEST_PLAYERS, MOST_PLAYERS
from games.rules.setup import typed_names
from games.services.proposals import KINDS

# --- opening a table ---


def _option_field(name: str, hint: Any) -> AnyField:
    """The field for an option of this type; which texts are possible is decided by the preset, later."""
    types = get_args(hint) or (hint,)
    if name in NUMBERS:
        numbers, may_be_off = NUMBERS[name], type(None) in types
        return RuledWhole(min_value=numbers[0], max_value=numbers[-1], required=False, allow_null=may_be_off)
    return (Flag if types[0] is bool else Text)(required=False, allow_null=type(None) in types)


class ChangedOptionsSerializer(StrictSerializer):
    """Changes to the preset's options; `/presets/` lists their values."""

    def get_fields(self) -> dict[str, AnyField]:
        hints = get_type_hints(Options)
        return {option.name: _option_field(option.name, hints[option.name]) for option in fields(Options)}

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, Mapping):
            raise WrongType(field=str(self.field_name), expected=self.expected)
        known = {name: value for name, value in data.items() if name in self.fields}
        # An unknown option is refused by the preset, which says what there is.
        return {**data, **super().to_internal_value(known)}


class NewPlayerSerializer(StrictSerializer):
    """A player who sits down, or a bot."""

    called = "player"

    name = Name()
    token = Text(**OPTIONAL, help_text="Left out: the next one that no player has asked for.")
    bot = Choice(choices=LEVELS, **OPTIONAL)


class PaperSerializer(StrictSerializer):
    """The sheet of a game that is over: points by round, or one line of totals."""

    called = "paper"

    lines = RuledList(
        child=RuledList(
            child=RuledWhole(min_value=-LARGEST_TOTAL, max_value=LARGEST_TOTAL),
            min_length=FEWEST_PLAYERS,
            max_length=MOST_PLAYERS,
        ),
        min_length=1,
        max_length=MOST_ROUNDS,
        help_text="The points by seat, a line for each round; else one line.",
    )
    by_round = Flag()


def paper_sheet(read: Mapping[str, Any] | None) -> PaperSheet | None:
    """What `PaperSerializer` read; the set-up checks it."""
    return None if read is None else PaperSheet(tuple(map(tuple, read["lines"])), read["by_round"])


class OccasionFields(StrictSerializer):
    """When, how long and where a game was played."""

    began = UtcTime(required=False, allow_null=True, help_text="null: as it was recorded.")
    minutes = RuledWhole(
        min_value=1,
        max_value=LONGEST_PLAY,
        required=False,
        allow_null=True,
        help_text="null: by the times of its entries, without pauses of more than two hours.",
    )
    place = Text(required=False, allow_blank=True)
    note = Text(required=False, allow_blank=True)


class OccasionSerializer(OccasionFields):
    """When, how long and where a game was played; what is left out is not stated."""

    called = "occasion"


class NewGameSerializer(CreationRequestSerializer):
    """A table to open, or with `paper` a game that is over."""

    mode = Choice(choices=Mode.values)
    preset = Text()
    options = ChangedOptionsSerializer(**OPTIONAL)
    players = RuledList(child=NewPlayerSerializer(), min_length=FEWEST_PLAYERS, max_length=MOST_PLAYERS)
    dealer = RuledWhole(
        min_value=0, max_value=LAST_SEAT, **OPTIONAL, help_text="The seat that deals round 1; 0 if left out."
    )
    group = Text(**OPTIONAL, help_text="The group that the table is opened in; the key holder is one of its members.")
    paper = PaperSerializer(**OPTIONAL)
    occasion = OccasionSerializer(**OPTIONAL, help_text="Only with `paper`.")
    open_hands = Flag(
        **OPTIONAL,
        help_text="True: after each round of a digital game everybody sees all its hands. It cannot be changed later, "
        "and who sits down on a page reads it before.",
    )

    def to_internal_value(self, data: Any) -> Any:
        read = super().to_internal_value(data)
        if read["occasion"] is not None and read["paper"] is None:
            self.refuse_field("occasion")
        return read

    @property
    def played(self) -> Occasion:
        """When the game from paper was played.

        Errors: those of `Occasion.of`.
        """
        return Occasion.of(**{**asdict(Occasion()), **(self.validated_data["occasion"] or {})})

    @property
    def setup(self) -> Setup:
        """Errors: the refusals of set-ups."""
        asked = self.validated_data
        return Setup.of(
            preset=asked["preset"],
            names=typed_names([player["name"] for player in asked["players"]]),
            tokens=[player["token"] for player in asked["players"]],
            options=asked["options"] or {},
            dealer=asked["dealer"] or 0,
            digital=asked["mode"] == Mode.DIGITAL,
            paper=paper_sheet(asked["paper"]),
            open_hands=bool(asked["open_hands"]),
        )

    @property
    def bots(self) -> list[str | None]:
        """The level of the bot at each seat."""
        return [player["bot"] for player in self.validated_data["players"]]


class SeatTextsField(serializers.DictField):
    """A text for some seats."""

    child = serializers.CharField()


class GameKeysSerializer(Answer):
    """The keys of a new game, shown once."""

    scorekeeper = serializers.CharField()
    viewer = serializers.CharField()
    seats = SeatTextsField(help_text="By seat, in digital games only, for seats without a bot.")


class InvitationLinksSerializer(Answer):
    """Pages that add a key to a browser, for 12 hours. A link to a seat moves the seat to that browser."""

    scorekeeper = serializers.URLField()
    viewer = serializers.URLField()
    seats = SeatTextsField(required=False)


class CreatedLinksSerializer(LinksSerializer):
    """The addresses of a new game."""

    join = InvitationLinksSerializer()


class CreatedSerializer(Answer):
    """A new game."""

    id = serializers.CharField()
    version = Number()
    keys = GameKeysSerializer()
    links = CreatedLinksSerializer()
    state = StateSerializer()


class RematchRequestSerializer(CreationRequestSerializer):
    """The next game of the same table."""

    same_deals = Flag(**OPTIONAL, help_text="True: the same deals again, by the same dealer; digital games only.")


class PlayOnRequestSerializer(CreationRequestSerializer):
    """A step of a finished digital game, and who plays on."""

    step = Count(help_text="Of the replay: the number of actions that count up to there, deals included.")
    seat = SeatNumber(help_text="The seat that is played with the keys of the answer; bots have all others.")
    level = Choice(choices=LEVELS, help_text="Of the bots.")


# --- changing a game ---


class RecordRequestSerializer(WriteRequestSerializer):
    """An action to record."""

    action = ActionField()
    seat = SeatNumber(
        **OPTIONAL, help_text="The acting seat; `not_your_turn` if another is due. Left out: the seat due."
    )


class UndoRequestSerializer(WriteRequestSerializer):
    """How far to go back."""

    to_seq = Count(
        **OPTIONAL,
        help_text="Take back every effective entry with a higher seq: the game is again as it was right after this "
        "entry. 0: back to the beginning. Left out: the latest effective entry alone.",
    )


class ReplacingSerializer(Answer):
    """Replaces an action."""

    seq = Count()
    part = Count(required=False, help_text="The change of an amendment that inserted the action; 0: the entry itself.")
    action = ActionField()


class DeletingSerializer(Answer):
    """Deletes an action."""

    seq = Count()
    part = Count(required=False, help_text="As for a replacement.")
    delete = serializers.BooleanField(help_text="Always true.")


class InsertingSerializer(Answer):
    """Inserts an action after another; 0: before the first."""

    after_seq = Count()
    after_part = Count(required=False, help_text="As for a replacement.")
    action = ActionField()


CHANGES = [ReplacingSerializer, DeletingSerializer, InsertingSerializer]


@extend_schema_field(PolymorphicProxySerializer("Change", CHANGES, None))
class ChangeField(AsIs):
    """A correction of an earlier entry."""


class ChangesField(Strict, serializers.ListField):
    """Corrections; the log's own codec reads them."""

    expected = "list_of_corrections"
    child = ChangeField()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"min_length": 1, **kwargs})

    def to_internal_value(self, data: Any) -> Any:
        changes = changes_from_json(data)
        for key in (change.after if isinstance(change, InsertAction) else change.key for change in changes):
            if min(key.seq, key.part) < 0:
                raise WrongType(field="changes", expected="corrections_from_0_on")
        return changes


class PreviewedRequestSerializer(WriteRequestSerializer):
    preview = Flag(**OPTIONAL, help_text="True: answer what would change, and change nothing.")


class AmendRequestSerializer(PreviewedRequestSerializer):
    """Corrections of earlier entries."""

    changes = ChangesField()


class SetupRequestSerializer(PreviewedRequestSerializer):
    """At least one of these; what is left out stays as it is."""

    names = RuledList(child=Name(), min_length=FEWEST_PLAYERS, max_length=MOST_PLAYERS, **OPTIONAL)
    tokens = RuledList(child=Text(), min_length=FEWEST_PLAYERS, max_length=MOST_PLAYERS, **OPTIONAL)
    dealer = RuledWhole(min_value=0, max_value=LAST_SEAT, **OPTIONAL)
    rounds = RuledWhole(min_value=1, max_value=MOST_ROUNDS, **OPTIONAL)
    paper = PaperSerializer(**OPTIONAL, help_text="Only of a game from paper.")
    since = RuledWhole(
        min_value=2,
        max_value=MOST_ROUNDS,
        **OPTIONAL,
        help_text="The round from which on the new names are other people, who have taken the seats over; left out, "
        "they are the right names of the same people.",
    )
    open_hands = Flag(**OPTIONAL, help_text="It was agreed on: another value than the present one is refused.")

    def to_internal_value(self, data: Any) -> Any:
        read = super().to_internal_value(data)
        if all(value is None for value in self.corrections_of(read).values()):
            raise Malformed(problem="no correction")
        return read

    @staticmethod
    def corrections_of(read: Mapping[str, Any]) -> dict[str, Any]:
        kept = ("names", "tokens", "dealer", "rounds", "open_hands", "since")
        return {name: read[name] for name in kept} | {"paper": paper_sheet(read["paper"])}

    @property
    def corrections(self) -> dict[str, Any]:
        return self.corrections_of(self.validated_data)


class OccasionRequestSerializer(OccasionFields, WriteRequestSerializer):
    """When, how long and where a game was played; what is left out stays as it is."""

    @property
    def stated(self) -> dict[str, Any]:
        """The fields that the request has."""
        return {name: self.validated_data[name] for name in OccasionFields().fields if name in self.validated_data}


class ProposalRequestSerializer(WriteRequestSerializer):
    """A proposal to the other players."""

    type = Choice(choices=tuple(KINDS))
    to_seq = Count(**OPTIONAL, help_text="Only for a takeback, as for `undo/`.")

    def to_internal_value(self, data: Any) -> Any:
        read = super().to_internal_value(data)
        if "to_seq" in data and read["type"] != "takeback":
            self.refuse_field("to_seq")
        return read


class AnswerRequestSerializer(WriteRequestSerializer):
    """An answer to a proposal."""

    agree = Flag()


class ConfirmationRequestSerializer(WriteRequestSerializer):
    """A round whose points a team confirms."""

    round = Count()
    seat = Count(help_text="A player of the team.")
    about = Count(
        **OPTIONAL,
        help_text="The `seq` of a pending correction: the team confirms the points that it leads to. Left out: the "
        "points as they are.",
    )


class AskedRequestSerializer(StrictSerializer):
    """Whether the pages of a table ask both teams to confirm each round."""

    asked = Flag()


class AskedSerializer(Answer):
    """Whether the pages of a table ask both teams to confirm each round."""

    asked = serializers.BooleanField()


class BotRequestSerializer(WriteRequestSerializer):
    """The level of the bot that plays for a seat from now on."""

    level = Choice(choices=LEVELS, allow_null=True, help_text="null gives the seat back.")


class WrittenSerializer(Answer):
    """A recorded change."""

    version = Number(help_text="As this request left it.")
    state = StateSerializer(help_text="As it is at present.")


class PreviewSerializer(Answer):
    """What a correction would change."""

    changes = ListOf(StandingChangeSerializer())


PREVIEW_OR_WRITTEN = PolymorphicProxySerializer("PreviewOrWritten", [PreviewSerializer, WrittenSerializer], None)
