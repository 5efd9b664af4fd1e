"""Keys, invitations and addresses of games."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from games.api import links
from games.api.serializers.fields import (
    OPTIONAL,
    Answer,
    Choice,
    CreationRequestSerializer,
    Flag,
    Number,
    Seat,
    SeatNumber,
    Text,
    Timestamp,
)
from games.models import Role
from games.rules.errors import Malformed, MissingField

SHOWN_ONCE = "Shown this once."
SINGLE_USE = "Whether it ends with its first use."


class LinksSerializer(Answer):
    """The addresses of a game."""

    self = serializers.URLField()
    table = serializers.URLField(help_text="The page.")

    def to_representation(self, instance: Any) -> dict[str, str]:
        """The addresses of the game with this id."""
        return links.of_game(self.context["request"], str(instance))


class KeyAnswer(Answer):
    """The base of answers that show a key."""

    def get_own(self, key: Any) -> bool:
        return bool(key.pk == self.context["request"].auth.pk)


class KeySerializer(KeyAnswer):
    """A key of a game, without its secret."""

    id = Number()
    role = serializers.ChoiceField(Role.values)
    seat = Seat(allow_null=True, help_text="Only for the role of a seat.")
    label = serializers.CharField()  # type: ignore[assignment]  # a field with the name of an attribute
    created_at = Timestamp()
    own = serializers.SerializerMethodField(help_text="Whether this key made the request.")


class NewInvitation(Answer):
    """An invitation to a game or group with its code and link."""

    id = Number(source="invite.pk")
    code = serializers.CharField()
    link = serializers.SerializerMethodField()
    expires_at = Timestamp(source="invite.expires_at")
    single_use = serializers.BooleanField(source="invite.single_use", help_text=SINGLE_USE)

    def get_link(self, made: Any) -> str:
        return links.of_invitation(self.context["request"], made.token)


class OpenInvitation(Answer):
    """An invitation to a game or group as a list shows it."""

    id = Number(source="pk")
    maker = serializers.CharField(
        source="maker.label", allow_null=True, help_text="The label of the key that made it, where it is known."
    )
    created_at = Timestamp()
    expires_at = Timestamp()
    uses = Number(help_text="How many keys it has given.")
    single_use = serializers.BooleanField(help_text=SINGLE_USE)


class InvitationSerializer(NewInvitation):
    """A code and a link, shown this once, for 12 hours."""

    role = serializers.ChoiceField(Role.values, source="invite.role")
    seat = Seat(allow_null=True, source="invite.seat", help_text="Only for the role of a seat.")


class OpenInvitationSerializer(OpenInvitation):
    """An invitation that may still be used, without its code and link."""

    role = serializers.ChoiceField(Role.values)
    seat = Seat(allow_null=True, help_text="Only for the role of a seat.")


class InviteRequestSerializer(CreationRequestSerializer):
    """The role that an invitation gives; `seat` exactly for the role of a seat."""

    role = Choice(choices=Role.values)
    single_use = Flag(default=False, help_text="True: for one use. An invitation to a seat always is.")
    seat = SeatNumber(required=False, help_text="Digital games only.")

    def to_internal_value(self, data: Any) -> Any:
        read = super().to_internal_value(data)
        if read["role"] == Role.SEAT and "seat" not in read:
            raise MissingField(action=self.called, field="seat")
        if read["role"] != Role.SEAT and "seat" in read:
            self.refuse_field("seat")
        return read


class JoinRequestSerializer(CreationRequestSerializer):
    """Either the code of an invitation or its token, and a name for the key."""

    code = Text(**OPTIONAL, help_text="The code, as it was typed.")
    token = Text(**OPTIONAL, help_text="The last part of the link.")
    name = Text(**OPTIONAL, help_text="The label in the list of keys.")

    def to_internal_value(self, data: Any) -> Any:
        sent = super().to_internal_value(data)
        read = {**{name: value or "" for name, value in sent.items()}, "request_id": sent["request_id"]}
        if bool(read["code"]) == bool(read["token"]):
            raise Malformed(problem="no way in")
        return read


class JoinedTableSerializer(Answer):
    """A new key of a game."""

    game = serializers.CharField(source="game_id")
    role = serializers.ChoiceField(Role.values)
    seat = Seat(allow_null=True, help_text="Only for the role of a seat.")
    key = serializers.CharField(source="secret", help_text=SHOWN_ONCE)
    links = LinksSerializer(source="game_id")
