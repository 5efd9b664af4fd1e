"""STATE: a game as the holder of a key sees it, listed field by field.

Each field says where its value comes from: a ledger that holds only what its reader may see.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, NoReturn

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers
from rest_framework.fields import SkipField

from games.api.serializers.actions import LegalActionField, LoggedActionField
from games.api.serializers.fields import (
    Answer,
    AnyField,
    AsIs,
    Card,
    Computed,
    DataclassAnswer,
    First,
    ListOf,
    Number,
    Seat,
    Timestamp,
)
from games.bots import LEVELS
from games.formats.sheet import conditions_of, teams_of
from games.log.ledger import Ledger
from games.models import Game, Mode
from games.rules import PRESETS, Action, ActionEntry, Phase, Round, Template, Won, to_json
from games.rules import Key as ActionKey
from games.rules.confirmations import confirmations
from games.rules.editions import RowKey
from games.rules.options import MOST_ROUNDS, TARGETS, Options
from games.rules.redaction import PlayerView
from games.rules.rounds import PenaltyLine
from games.services.previews import StandingChange, standing_changes

SCHEMA = 1

Document = dict[str, Any]


@dataclass(frozen=True)
class Part:
    """A round, an entry or a proposal, and the ledger that it is read in."""

    ledger: Ledger
    of: Any

    @property
    def played(self) -> Round | None:
        """The round, if it is the present one."""
        return self.of if isinstance(self.of, Round) else None

    @property
    def own(self) -> PlayerView | None:
        """What a seat alone may know of the present round; while a bot plays for it, its key knows no hand."""
        view = self.ledger.view if self.played else None
        return None if view is None or view.seat is None or self.ledger.bots[view.seat] is not None else view

    @property
    def of_digital(self) -> Any:
        """The round of a digital game; fields that are read through it are left out of the rounds of other games."""
        if not self.ledger.digital:
            left_out()
        return self.of


def left_out() -> NoReturn:
    """Leave a field out of an answer."""
    raise SkipField


def parts(ledger: Ledger, of: Sequence[object]) -> list[Part]:
    """All of these, read in a ledger."""
    return [Part(ledger, each) for each in of]


PHASES = [phase.value for phase in Phase if phase not in (Phase.DEALING, Phase.FINISHED)]


class OptionsSerializer(DataclassAnswer):
    """Every option, resolved."""

    rounds = serializers.IntegerField(min_value=1, max_value=MOST_ROUNDS)
    target = serializers.IntegerField(min_value=TARGETS[0], max_value=TARGETS[-1], allow_null=True)

    class Meta:
        dataclass = Options

    def to_representation(self, instance: Any) -> Any:
        """They are JSON already."""
        return instance


class PlayerSerializer(Answer):
    """A player of a game, or the bot that plays for them."""

    seat = Seat()
    name = serializers.CharField()
    token = serializers.CharField()
    bot = serializers.ChoiceField(LEVELS, allow_null=True)


class ConditionsSerializer(Answer):
    """The open spaces of a round; `start`: the start player's seat."""

    start = Seat()
    discard = serializers.CharField()
    trump = serializers.CharField()
    supertrump = serializers.CharField()
    points = serializers.ChoiceField([1, 2, 3, 4, -2])


class TeamsField(serializers.ListField):
    """The two teams, the start player's first, each sorted."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(child=ListOf(Seat()), **{"min_length": 2, "max_length": 2, **kwargs})


MonsterField = partial(Seat, allow_null=True, help_text="The holder of the monster.")


class WonSerializer(Answer):
    """The tricks and captured cards of a seat."""

    seat = Seat()
    tricks = Number()
    captured = Number()


def won_of(counts: Sequence[Won]) -> list[Document]:
    """The tricks and captured cards of all seats."""
    return [{"seat": seat, "tricks": won.tricks, "captured": won.captured} for seat, won in enumerate(counts)]


class TrickSerializer(Answer):
    """A complete trick; its cards are known in digital games only."""

    leader = Seat()
    cards = ListOf(Card(), allow_null=True)
    winner = Seat()
    captured = Number()


class OpenTrickSerializer(Answer):
    """The cards on the table of a digital game."""

    leader = Seat()
    cards = ListOf(Card(), source="table", min_length=1, help_text="In the order of play.")


@extend_schema_field(
    {
        "oneOf": [
            {"type": "integer", "minimum": 0, "maximum": 4},
            {"type": "string", "enum": ["entry"]},
            {"type": "null"},
        ]
    }
)
class CoveredByField(AsIs):
    """The cover of a space."""


class SpaceSerializer(Answer):
    """A space of the board."""

    space = serializers.CharField()
    covered_by = CoveredByField(
        help_text="null: open; a seat; “entry”: covered when the settled board was entered in one go."
    )


class RowSerializer(Answer):
    """A row of the board."""

    row = serializers.ChoiceField([row.value for row in RowKey], source="key")
    spaces = Computed(
        ListOf(SpaceSerializer()),
        lambda row: [{"space": str(each), "covered_by": by} for each, by in zip(row.spaces, row.marks, strict=True)],
    )


Conditions = partial(
    Computed, ConditionsSerializer(), lambda part: part.of.conditions and conditions_of(part.of.conditions)
)
Teams = partial(Computed, TeamsField(), lambda part: part.of.teams and teams_of(part.of.teams))


def own(cards: str, text: str) -> ListOf:
    """Cards that a seat alone may know."""
    help_text = f"Digital games, the key holder's own seat only. {text}"
    return ListOf(Card(), source=f"own.{cards}", required=False, help_text=help_text)


class RoundSerializer(Answer):
    """A round: the present one, or the one before it."""

    number = First(source="of.number")
    of = First(source="ledger.state.ruleset.options.rounds")
    dealer = Seat(source="of.dealer")
    phase = Computed(
        serializers.ChoiceField(PHASES), lambda part: part.ledger.state.phase if part.played else Phase.TRICKS
    )
    acting = Computed(
        ListOf(Seat()),
        lambda part: part.ledger.state.acting_seats if part.played else (),
        help_text="The seats that are due now; empty while tricks are counted.",
    )
    board = ListOf(RowSerializer(), source="of.board.rows")
    conditions = Conditions(allow_null=True)
    teams = Teams(allow_null=True)
    monster = MonsterField(source="of.teams.monster")
    tricks_total = Computed(
        Number(),
        lambda part: part.of.conditions and part.ledger.state.ruleset.tricks(part.of.conditions.discard),
        allow_null=True,
    )
    tricks = ListOf(
        TrickSerializer(),
        source="of.tricks",
        help_text="The tricks recorded one by one; [] where only a tally was recorded.",
    )
    current_trick = Computed(
        OpenTrickSerializer(), lambda part: part.played if part.played and part.played.table else None, allow_null=True
    )
    won = Computed(
        ListOf(WonSerializer()),
        lambda part: won_of(part.of.won(part.ledger.state.players) if part.played else part.of.won),
        help_text="Every seat.",
    )
    hand_sizes = Computed(
        ListOf(Number()),
        lambda part: getattr(part.of_digital, "hand_sizes", (0,) * part.ledger.state.players),
        required=False,
        help_text="Digital games, by seat.",
    )
    claimed = Computed(
        Seat(),
        lambda part: left_out() if part.played else part.of_digital.claimed,
        required=False,
        allow_null=True,
        help_text="Digital games, a finished round: the seat that was granted all remaining tricks.",
    )
    hand = own("hand", "It keeps chosen cards until every player has chosen. Absent while a bot plays for the seat.")
    chosen = own("chosen", "The cards that lie face down.")
    discarded = own("discarded", "The cards that have left the hand for this round.")
    passed = own("passed", "The cards that a neighbour got.")
    received = own("received", "The cards from the neighbour on the other side.")


class TakenBackSerializer(Answer):
    """An entry that a takeback is about, as the key holder may read it."""

    seq = First(source="of.seq")
    seat = Computed(
        Seat(), lambda part: (step := part.ledger.step(ActionKey(part.of.seq))) and step.seat, allow_null=True
    )
    action = Computed(
        LoggedActionField(),
        lambda part: to_json(part.of.action) if isinstance(part.of, ActionEntry) else None,
        allow_null=True,
    )


class ProposalSerializer(Answer):
    seq = First(source="of.seq")
    seat = Seat(source="of.seat", help_text="The seat that asks.")
    agreed = ListOf(Seat(), source="of.agreed", help_text="The others who have agreed.")
    waiting = Computed(
        ListOf(Seat()),
        lambda part: part.of.waiting(part.ledger.state.players),
        help_text="The seats that have not answered yet.",
    )


class TakebackProposalSerializer(ProposalSerializer):
    """To take entries back."""

    type = serializers.ChoiceField(["takeback"], source="of.proposal.kind")
    entries = Computed(
        ListOf(TakenBackSerializer()),
        lambda part: parts(part.ledger, [part.ledger.entry(seq) for seq in part.of.proposal.seqs]),
        help_text="The latest first.",
    )


class ClaimProposalSerializer(ProposalSerializer):
    """To be granted all remaining tricks of the round."""

    type = serializers.ChoiceField(["claim"], source="of.proposal.kind")
    cards = ListOf(Card(), source="of.proposal.cards", help_text="The hand, shown to all.")


class FinishProposalSerializer(ProposalSerializer):
    """To end the game after the complete rounds."""

    type = serializers.ChoiceField(["finish"], source="of.proposal.kind")


PROPOSALS: dict[str, Any] = {
    "takeback": TakebackProposalSerializer(),
    "claim": ClaimProposalSerializer(),
    "finish": FinishProposalSerializer(),
}


@extend_schema_field(PolymorphicProxySerializer("Proposal", PROPOSALS, "type"))
class ProposalField(AnyField):
    """A proposal."""

    def to_representation(self, value: Part) -> Any:
        return PROPOSALS[value.of.proposal.kind].to_representation(value)


class ConfirmedSerializer(Answer):
    """A team that has confirmed the points of a round."""

    seats = ListOf(Seat(), source="team", help_text="The team.")
    seat = Seat(help_text="The player who confirmed for it.")
    seq = First(help_text="The entry.")


class ScoredRoundSerializer(Answer):
    """A complete round."""

    number = First(source="of.number")
    points = ListOf(serializers.IntegerField(), source="of.score.points", help_text="By seat: the points on the sheet.")
    raw = ListOf(serializers.IntegerField(), source="of.score.raw", help_text="By seat: the team score.")
    conditions = Conditions()
    teams = Teams()
    monster = MonsterField(source="of.teams.monster")
    won = Computed(ListOf(WonSerializer()), lambda part: won_of(part.of.won))
    confirmed = Computed(
        ListOf(ConfirmedSerializer()),
        lambda part: confirmations(part.of, part.ledger.counting.confirms),
        help_text="Physical tables: the teams that have confirmed these points; two are both.",
    )


class StandingChangeSerializer(DataclassAnswer):
    """A seat whose total or rank would change."""

    seat = Seat()

    class Meta:
        dataclass = StandingChange


class CorrectedRoundSerializer(Answer):
    """A round that both teams confirm before it is corrected."""

    number = First(source="of.number")
    points = ListOf(serializers.IntegerField(), source="of.score.points", help_text="By seat, as corrected.")
    confirmed = Computed(
        ListOf(ConfirmedSerializer()),
        lambda part: confirmations(part.of, part.ledger.pending.confirms),
        help_text="The teams that have confirmed the correction.",
    )


class PendingCorrectionSerializer(Answer):
    """A correction that is made once both teams have confirmed it in each of its rounds."""

    seq = First(source="of.entry.seq", help_text="Its entry in the log, which says what is corrected.")
    rounds = Computed(ListOf(CorrectedRoundSerializer()), lambda part: parts(part.ledger, part.of.rounds))
    changes = Computed(
        ListOf(StandingChangeSerializer()),
        lambda part: standing_changes(part.ledger.state, part.of.corrected.state),
        help_text="What it would change in the standings.",
    )


class PenaltySerializer(DataclassAnswer):
    """A penalty on the sheet, after a number of complete rounds."""

    seat = Seat()
    after_round = Number()

    class Meta:
        dataclass = PenaltyLine


class ScoresSerializer(Answer):
    """The sheet in numbers."""

    rounds = Computed(ListOf(ScoredRoundSerializer()), lambda ledger: parts(ledger, ledger.state.finished))
    penalties = ListOf(PenaltySerializer(), source="state.penalties")
    totals = ListOf(serializers.IntegerField(), source="state.totals", help_text="By seat, penalties included.")
    leaders = ListOf(Seat(), source="state.leaders", help_text="Empty before the first complete round or penalty.")
    winners = Computed(
        ListOf(Seat()),
        lambda ledger: ledger.state.winners if ledger.state.is_over else left_out(),
        required=False,
        help_text="Only once the game is finished; more than one share the victory.",
    )


class OccasionStateSerializer(Answer):
    """When, how long and where a game was played."""

    began = Timestamp(source="created_at")
    ended = Timestamp(source="finished_at", allow_null=True, help_text="null while it is played.")
    minutes = Number(
        allow_null=True,
        help_text="As stated, else by the times of its entries without pauses of more than two hours; null if unknown.",
    )
    place = serializers.CharField()
    note = serializers.CharField()


@dataclass(frozen=True)
class GameRead:
    """A game, and its ledger as the reader may see it.

    `may_record`: the reader is a scorekeeper, or the host of a digital game.  A seat may do what its view says.
    """

    ledger: Ledger
    game: Game
    may_record: bool

    @property
    def players(self) -> list[Document]:
        """The players by seat, or the bots that play for them."""
        return [
            {"seat": number, "name": seat.name, "token": seat.token, "bot": bot}
            for number, (seat, bot) in enumerate(zip(self.ledger.state.setup.seats, self.ledger.bots, strict=True))
        ]

    @property
    def legal(self) -> list[Document]:
        """What the reader may do now."""
        state, view = self.ledger.state, self.ledger.view
        if view is None:
            return [_legal(each) for each in state.legal_actions()] if self.may_record else []
        if view.seat is not None:
            return [] if self.ledger.bots[view.seat] is not None else [_legal(each) for each in view.legal]
        if not self.may_record or state.is_over:
            return []
        # A host may let a bot play for a seat, or give the seat back.
        return [{"type": "bot", "bounds": {"seat": list(range(state.players)), "level": [*LEVELS, None]}}]


class PlayedOnSerializer(Answer):
    """The step of another game that a game was played on from."""

    game = serializers.CharField(
        allow_null=True, source="deals_of_id", help_text="It gives no access; null if that game was deleted."
    )
    step = Number(source="from_step", help_text="Of its replay: the number of actions that count up to there.")


class StateSerializer(Answer):
    """A game as the key holder may see it."""

    schema = Computed(serializers.ChoiceField([SCHEMA]), lambda read: SCHEMA)
    id = serializers.CharField(source="ledger.game_id")
    mode = serializers.ChoiceField(Mode.values, source="ledger.setup.mode")
    same_deals = Computed(
        serializers.BooleanField(),
        lambda read: read.game.deals_of_id is not None,
        help_text="A digital game that repeats the deals of an earlier one: its players may know the cards.",
    )
    played_on = Computed(
        PlayedOnSerializer(),
        lambda read: read.game if read.game.from_step is not None else None,
        allow_null=True,
        help_text="A digital game of one person against bots whose first part is that of a finished game: no group "
        "counts it.",
    )
    open_hands = serializers.BooleanField(
        source="ledger.setup.open_hands",
        help_text="A digital game whose log shows all hands of a round to everybody as soon as the next one is dealt.",
    )
    preset = serializers.ChoiceField(list(PRESETS), source="ledger.state.ruleset.preset")
    options = Computed(OptionsSerializer(), lambda read: read.ledger.state.ruleset.options.to_json())
    version = Number(source="ledger.version", help_text="Rises with every change.")
    status = Computed(
        serializers.ChoiceField(["playing", "finished"]),
        lambda read: "finished" if read.ledger.state.is_over else "playing",
    )
    locked = serializers.BooleanField(
        source="ledger.locked", help_text="The result was confirmed and no longer changes."
    )
    next_game = serializers.CharField(
        source="game.next_id",
        allow_null=True,
        help_text="The id of the game that the phones of this finished one go on to: its first rematch, or the first "
        "table that one of them opened in the group on the same evening. It gives no access.",
    )
    occasion = OccasionStateSerializer(source="game")
    players = ListOf(PlayerSerializer())
    viewer = Seat(
        source="ledger.view.seat",
        allow_null=True,
        help_text="The key holder's seat; null for the host, for viewers and at a physical table.",
    )
    round = Computed(
        RoundSerializer(),
        lambda read: Part(read.ledger, read.ledger.state.current) if read.ledger.state.current else None,
        allow_null=True,
        help_text="null once the game is finished.",
    )
    last_round = Computed(
        RoundSerializer(),
        lambda read: next(iter(parts(read.ledger, read.ledger.state.finished[-1:])), None),
        allow_null=True,
        help_text="The finished round before this one.",
    )
    scores = ScoresSerializer(source="ledger")
    proposals = Computed(
        ListOf(ProposalField()),
        lambda read: parts(read.ledger, read.ledger.counting.proposals),
        help_text="Digital games: what players ask of each other and is not decided yet.",
    )
    pending_corrections = Computed(
        ListOf(PendingCorrectionSerializer()),
        lambda read: parts(read.ledger, [read.ledger.pending] if read.ledger.pending else []),
        help_text="Physical tables: at most one, of confirmed rounds.",
    )
    legal_actions = ListOf(LegalActionField(), source="legal", help_text="Everything that this key holder may do now.")


_WRITTEN = StateSerializer()


def state_of(ledger: Ledger, game: Game, *, may_record: bool) -> Any:
    """A game as the reader of this ledger sees it."""
    assert ledger.view is not None or not ledger.digital, "only services know the whole log of a digital game"
    return _WRITTEN.to_representation(GameRead(ledger, game, may_record))


@lru_cache(maxsize=512)
def _legal(action: Action | Template) -> Document:
    # Cached: the spaces of a board are offered many times.
    if isinstance(action, Template):
        return {"type": action.kind, "bounds": dict(action.bounds)}
    return to_json(action)
