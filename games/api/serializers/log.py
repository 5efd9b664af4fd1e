"""Entries of a log, each kind with its own fields."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers

from games.api.serializers.actions import LoggedActionField, NullField
from games.api.serializers.fields import Answer, AnyField, Card, Computed, First, ListOf, Seat, Timestamp
from games.api.serializers.games import ChangeField
from games.api.serializers.state import OptionsSerializer
from games.bots import LEVELS
from games.log.store import StoredEntry
from games.rules import PRESETS
from games.rules.actions import KINDS
from games.rules.hints import HintReason
from games.rules.replay import HolderChange
from games.services.proposals import KINDS as PROPOSALS


class EntrySerializer(Answer):
    seq = First()
    at = Timestamp()
    kind: AnyField = serializers.CharField()
    seat = Seat(allow_null=True, help_text="The seat that was due.")
    action: AnyField = Computed(NullField(), lambda entry: None)


class ActionEntrySerializer(EntrySerializer):
    """An action."""

    kind = serializers.ChoiceField(list(KINDS))
    action = LoggedActionField(source="payload")


class UndoEntrySerializer(EntrySerializer):
    """An entry that is taken back."""

    kind = serializers.ChoiceField(["undo"])
    undoes = First(source="payload.undoes")


class AmendEntrySerializer(EntrySerializer):
    """Corrections of earlier entries."""

    kind = serializers.ChoiceField(["amend"])
    changes = ListOf(ChangeField(), source="payload.changes")


class StoredSeatSerializer(Answer):
    """A player at the table."""

    name = serializers.CharField()
    token = serializers.CharField()


class StoredPaperSerializer(Answer):
    """The sheet of a game that was entered when it was over."""

    lines = ListOf(ListOf(serializers.IntegerField()), help_text="The points by seat, a line a round; or totals.")
    by_round = serializers.BooleanField()


class StintSerializer(Answer):
    """Who played for a seat before its player."""

    seat = Seat()
    name = serializers.CharField()
    until = First(help_text="Their last round.")


class StoredSetupSerializer(Answer):
    """The set-up of a game."""

    preset = serializers.ChoiceField(list(PRESETS))
    options = OptionsSerializer()
    seats = ListOf(StoredSeatSerializer())
    dealer = Seat()
    digital = serializers.BooleanField(required=False, help_text="Only in digital games, where it is true.")
    earlier = ListOf(StintSerializer(), required=False, help_text="Only where somebody else took a seat over.")
    paper = StoredPaperSerializer(required=False, help_text="Only of a game from paper.")
    open_hands = serializers.BooleanField(required=False, help_text="Only where all hands are shown after each round.")


class SetupEntrySerializer(EntrySerializer):
    """The set-up from now on."""

    kind = serializers.ChoiceField(["setup"])
    setup = StoredSetupSerializer(source="payload")


class LockEntrySerializer(EntrySerializer):
    """The result is confirmed."""

    kind = serializers.ChoiceField(["lock"])


class SeatEntrySerializer(EntrySerializer):
    """A bot plays for the seat from now on, or its player again."""

    kind = serializers.ChoiceField(["seat"])
    bot = serializers.ChoiceField(LEVELS, allow_null=True, source="payload.bot", help_text="null: the player.")


class HolderEntrySerializer(EntrySerializer):
    """Another phone or program plays for the seat from now on, or none."""

    kind = serializers.ChoiceField(["holder"])
    change = serializers.ChoiceField(
        [change.value for change in HolderChange],
        source="payload.change",
        help_text="joined: the seat had no holder; claimed: by an invitation; handed_over: by an invitation of the "
        "holder; returned: the holder who had lost the seat took it back; freed: by the host; revoked: with the key.",
    )
    also = ListOf(
        Seat(), source="payload.also", help_text="The other seats that the same browser has had since the latest deal."
    )


class StoredProposalSerializer(Answer):
    """A proposal to the other players."""

    proposal = serializers.ChoiceField(list(PROPOSALS))
    seqs = ListOf(First(), required=False, help_text="A takeback: the entries, the latest first.")
    cards = ListOf(Card(), required=False, help_text="A claim: the hand, shown to all.")


class ProposalEntrySerializer(EntrySerializer):
    """A player proposes."""

    kind = serializers.ChoiceField(["proposal"])
    proposal = StoredProposalSerializer(source="payload")


class AnswerEntrySerializer(EntrySerializer):
    """A player answers a proposal."""

    kind = serializers.ChoiceField(["answer"])
    about = First(source="payload.about", help_text="The proposal's `seq`.")
    agrees = serializers.BooleanField(source="payload.agrees")


class ConfirmEntrySerializer(EntrySerializer):
    """A team confirms the points of a round."""

    kind = serializers.ChoiceField(["confirm"])
    round = First(source="payload.round")
    team = ListOf(Seat(), source="payload.team")
    figures = ListOf(serializers.IntegerField(), source="payload.figures", help_text="The points by seat.")
    about = First(source="payload.about", allow_null=True, help_text="The `seq` of the correction that leads to them.")


class HintEntrySerializer(EntrySerializer):
    """A player against bots asked one what to do.  Until the game is over only that player reads the hint."""

    kind = serializers.ChoiceField(["hint"])
    hint = LoggedActionField(source="payload.action", allow_null=True, help_text="What the bot would do.")
    reason = serializers.ChoiceField(
        [reason.value for reason in HintReason], source="payload.reason", allow_null=True, help_text="Why."
    )
    second = LoggedActionField(
        source="payload.second",
        allow_null=True,
        help_text="The second best action, if `reason` is about it, or one about as good that `reason` is true of.",
    )


class CorrectionEntrySerializer(AmendEntrySerializer):
    """Corrections that both teams have to confirm first."""

    kind = serializers.ChoiceField(["correction"])


class OccasionEntrySerializer(EntrySerializer):
    """When, how long and where the game was played, from now on."""

    kind = serializers.ChoiceField(["occasion"])
    began = Timestamp(source="payload.began", allow_null=True)
    minutes = First(source="payload.minutes", allow_null=True)
    place = serializers.CharField(source="payload.place")
    note = serializers.CharField(source="payload.note")


ENTRIES: dict[str, type[EntrySerializer]] = {
    **dict.fromkeys(KINDS, ActionEntrySerializer),
    "undo": UndoEntrySerializer,
    "amend": AmendEntrySerializer,
    "setup": SetupEntrySerializer,
    "lock": LockEntrySerializer,
    "seat": SeatEntrySerializer,
    "holder": HolderEntrySerializer,
    "proposal": ProposalEntrySerializer,
    "answer": AnswerEntrySerializer,
    "confirm": ConfirmEntrySerializer,
    "hint": HintEntrySerializer,
    "correction": CorrectionEntrySerializer,
    "occasion": OccasionEntrySerializer,
}


LOG_ENTRIES = PolymorphicProxySerializer(
    component_name="LogEntry", serializers=dict(ENTRIES), resource_type_field_name="kind", many=True
)


def log_entries(entries: Iterable[StoredEntry]) -> list[dict[str, Any]]:
    """Entries, raw: each keeps its place, even if later entries undo or correct it."""
    written_by = {kind: serializer() for kind, serializer in ENTRIES.items()}
    return [written_by[entry.kind].to_representation(entry) for entry in entries]
