"""STATE: a game as the holder of a key sees it.  `games.api.documents` builds it; the tests compare the two."""

from __future__ import annotations

from functools import partial
from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema_field
from rest_framework import serializers

from games.api.serializers.actions import LegalActionField, LoggedActionField, SerializersByType
from games.api.serializers.fields import Answer, AsIs, Card, DataclassAnswer, First, ListOf, Number, Seat
from games.bots import LEVELS
from games.models import Mode
from games.rules import PRESETS, Phase
from games.rules.editions import RowKey
from games.rules.options import MOST_ROUNDS, Options
from games.rules.rounds import PenaltyLine
from games.services.previews import StandingChange

PHASES = [phase.value for phase in Phase if phase not in (Phase.DEALING, Phase.FINISHED)]
OWN = "Digital games, the key holder's own seat only."


class OptionsSerializer(DataclassAnswer):
    """Every option, resolved."""

    rounds = serializers.IntegerField(min_value=1, max_value=MOST_ROUNDS)

    class Meta:
        dataclass = Options


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


class TrickSerializer(Answer):
    """A complete trick; its cards are known in digital games only."""

    leader = Seat()
    cards = ListOf(Card(), allow_null=True)
    winner = Seat()
    captured = Number()


class OpenTrickSerializer(Answer):
    """The cards on the table of a digital game."""

    leader = Seat()
    cards = ListOf(Card(), min_length=1, help_text="In the order of play.")


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

    row = serializers.ChoiceField([row.value for row in RowKey])
    spaces = ListOf(SpaceSerializer())


class RoundSerializer(Answer):
    """A round: the present one, or the one before it."""

    number = First()
    of = First()
    dealer = Seat()
    phase = serializers.ChoiceField(PHASES)
    acting = ListOf(Seat(), help_text="The seats that are due now; empty while tricks are counted.")
    board = ListOf(RowSerializer())
    conditions = ConditionsSerializer(allow_null=True)
    teams = TeamsField(allow_null=True)
    monster = MonsterField()
    tricks_total = Number(allow_null=True)
    tricks = ListOf(TrickSerializer(), help_text="The tricks recorded one by one; [] where only a tally was recorded.")
    current_trick = OpenTrickSerializer(allow_null=True)
    won = ListOf(WonSerializer(), help_text="Every seat.")
    hand_sizes = ListOf(Number(), required=False, help_text="Digital games, by seat.")
    claimed = Seat(
        required=False,
        allow_null=True,
        help_text="Digital games, a finished round: the seat that was granted all remaining tricks.",
    )
    hand = ListOf(
        Card(),
        required=False,
        help_text=f"{OWN} It keeps chosen cards until every player has chosen. Absent while a bot plays for the seat.",
    )
    chosen = ListOf(Card(), required=False, help_text=f"{OWN} The cards that lie face down.")
    discarded = ListOf(Card(), required=False, help_text=f"{OWN} The cards that have left the hand for this round.")
    passed = ListOf(Card(), required=False, help_text=f"{OWN} The cards that the right neighbour got.")
    received = ListOf(Card(), required=False, help_text=f"{OWN} The cards from the left neighbour.")


class TakenBackSerializer(Answer):
    """An entry that a takeback is about, as the key holder may read it."""

    seq = First()
    seat = Seat(allow_null=True)
    action = LoggedActionField(allow_null=True)


class ProposalSerializer(Answer):
    seq = First()
    seat = Seat(help_text="The seat that asks.")
    agreed = ListOf(Seat(), help_text="The others who have agreed.")
    waiting = ListOf(Seat(), help_text="The seats that have not answered yet.")


class TakebackProposalSerializer(ProposalSerializer):
    """To take entries back."""

    type = serializers.ChoiceField(["takeback"])
    entries = ListOf(TakenBackSerializer(), help_text="The latest first.")


class ClaimProposalSerializer(ProposalSerializer):
    """To be granted all remaining tricks of the round."""

    type = serializers.ChoiceField(["claim"])
    cards = ListOf(Card(), help_text="The hand, shown to all.")


class FinishProposalSerializer(ProposalSerializer):
    """To end the game after the complete rounds."""

    type = serializers.ChoiceField(["finish"])


PROPOSALS: SerializersByType = {
    "takeback": TakebackProposalSerializer,
    "claim": ClaimProposalSerializer,
    "finish": FinishProposalSerializer,
}


@extend_schema_field(PolymorphicProxySerializer("Proposal", PROPOSALS, "type"))
class ProposalField(AsIs):
    """A proposal."""


class ConfirmedSerializer(Answer):
    """A team that has confirmed the points of a round."""

    seats = ListOf(Seat(), help_text="The team.")
    seat = Seat(help_text="The player who confirmed for it.")
    seq = First(help_text="The entry.")


class ScoredRoundSerializer(Answer):
    """A complete round."""

    number = First()
    points = ListOf(serializers.IntegerField(), help_text="By seat: the points on the sheet.")
    raw = ListOf(serializers.IntegerField(), help_text="By seat: the team score.")
    conditions = ConditionsSerializer()
    teams = TeamsField()
    monster = MonsterField()
    won = ListOf(WonSerializer())
    confirmed = ListOf(
        ConfirmedSerializer(), help_text="Physical tables: the teams that have confirmed these points; two are both."
    )


class StandingChangeSerializer(DataclassAnswer):
    """A seat whose total or rank would change."""

    seat = Seat()

    class Meta:
        dataclass = StandingChange


class CorrectedRoundSerializer(Answer):
    """A round that both teams confirm before it is corrected."""

    number = First()
    points = ListOf(serializers.IntegerField(), help_text="By seat, as corrected.")
    confirmed = ListOf(ConfirmedSerializer(), help_text="The teams that have confirmed the correction.")


class PendingCorrectionSerializer(Answer):
    """A correction that is made once both teams have confirmed it in each of its rounds."""

    seq = First(help_text="Its entry in the log, which says what is corrected.")
    rounds = ListOf(CorrectedRoundSerializer())
    changes = ListOf(StandingChangeSerializer(), help_text="What it would change in the standings.")


class PenaltySerializer(DataclassAnswer):
    """A penalty on the sheet, after a number of complete rounds."""

    seat = Seat()
    after_round = Number()

    class Meta:
        dataclass = PenaltyLine


class ScoresSerializer(Answer):
    """The sheet in numbers."""

    rounds = ListOf(ScoredRoundSerializer())
    penalties = ListOf(PenaltySerializer())
    totals = ListOf(serializers.IntegerField(), help_text="By seat, penalties included.")
    leaders = ListOf(Seat(), help_text="Empty before the first complete round or penalty.")
    winners = ListOf(
        Seat(), required=False, help_text="Only once the game is finished; more than one share the victory."
    )


class StateSerializer(Answer):
    """A game as the key holder may see it."""

    schema = serializers.ChoiceField([1])
    id = serializers.CharField()
    mode = serializers.ChoiceField(Mode.values)
    same_deals = serializers.BooleanField(
        help_text="A digital rematch that repeats the deals of an earlier game: its players may know the cards."
    )
    preset = serializers.ChoiceField(list(PRESETS))
    options = OptionsSerializer()
    version = Number(help_text="Rises with every change.")
    status = serializers.ChoiceField(["playing", "finished"])
    locked = serializers.BooleanField(help_text="The result was confirmed and no longer changes.")
    players = ListOf(PlayerSerializer())
    viewer = Seat(
        allow_null=True, help_text="The key holder's seat; null for the host, for viewers and at a physical table."
    )
    round = RoundSerializer(allow_null=True, help_text="null once the game is finished.")
    last_round = RoundSerializer(allow_null=True, help_text="The finished round before this one.")
    scores = ScoresSerializer()
    proposals = ListOf(
        ProposalField(), help_text="Digital games: what players ask of each other and is not decided yet."
    )
    pending_corrections = ListOf(
        PendingCorrectionSerializer(),
        help_text="Physical tables: at most one, of confirmed rounds.",
    )
    legal_actions = ListOf(LegalActionField(), help_text="Everything that this key holder may do now.")
