"""Groups, their players, their keys and their tables."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers

from games.api import links
from games.api.serializers.fields import (
    OPTIONAL,
    Answer,
    Choice,
    Computed,
    CreationRequestSerializer,
    DataclassAnswer,
    Day,
    Flag,
    ListOf,
    Name,
    Number,
    Seat,
    StrictSerializer,
    Text,
    Timestamp,
)
from games.api.serializers.keys import (
    SHOWN_ONCE,
    JoinedTableSerializer,
    KeyAnswer,
    LinksSerializer,
    NewInvitation,
    OpenInvitation,
)
from games.groups import totals
from games.groups.statistics import ratings
from games.groups.statistics.ratings import Shown
from games.keys import registry
from games.models import TABLE_ROLES, GroupKey, GroupRole
from games.rules.errors import Malformed

FAVOURITE = "The favourite token."


class GroupLinksSerializer(Answer):
    """The addresses of a group."""

    self = serializers.URLField()
    page = serializers.URLField(help_text="For people.")
    results = serializers.URLField()
    players = serializers.URLField()
    statistics = serializers.URLField()

    def to_representation(self, instance: Any) -> dict[str, str]:
        """The addresses of the group with this id."""
        return links.of_group(self.context["request"], str(instance))


class GroupRequestSerializer(StrictSerializer):
    """The name of a group."""

    name = Name()


class NewGroupSerializer(CreationRequestSerializer):
    """A group to create."""

    name = Name()


class CreatedGroupSerializer(Answer):
    """A new group and the key of its owner."""

    id = serializers.CharField(source="group.pk")
    name = serializers.CharField(source="group.name")
    key = serializers.CharField(source="secret", help_text=f"The owner's key. {SHOWN_ONCE}")
    links = GroupLinksSerializer(source="group.pk")


class GroupSerializer(Answer):
    """A group, from a key that opens it."""

    id = serializers.CharField(source="group.pk")
    name = serializers.CharField(source="group.name")
    role = serializers.ChoiceField(GroupRole.values, help_text="The key holder's role.")
    created_at = Timestamp(source="group.created_at")
    games = Computed(Number(), lambda key: key.group.figures.get("games", 0), help_text="Finished games.")
    players = Computed(Number(), lambda key: key.group.players.filter(merged_into=None).count())
    changes = Number(source="group.changes", help_text="The last change of a result, for `changed_after`.")
    links = GroupLinksSerializer(source="group.pk")


# --- players ---


class RatingSerializer(DataclassAnswer):
    """In points, 0 for a new player. `uncertainty`: one deviation. `settling`: from too few games to rely on."""

    class Meta:
        dataclass = Shown
        ref_name = "Rating"


class GroupPlayerSerializer(Answer):
    """A player of a group."""

    id = serializers.CharField(source="pk")
    name = serializers.CharField()
    token = Computed(serializers.CharField(), lambda player: player.token or None, allow_null=True, help_text=FAVOURITE)
    erased = Computed(
        serializers.BooleanField(),
        lambda player: player.erased_at is not None,
        help_text="The name was erased at the player's request; the games stay in the figures.",
    )
    games = Computed(Number(), lambda player: player.figures.get("games", 0))
    wins = Computed(Number(), lambda player: player.figures.get("wins", 0))
    rating = Computed(RatingSerializer(), lambda player: ratings.shown(totals.form_of(player)))


class NewPlayerRequestSerializer(CreationRequestSerializer):
    """A player to add."""

    name = Name()
    token = Text(**OPTIONAL, help_text=FAVOURITE)


class PlayerRequestSerializer(StrictSerializer):
    """At least a name or a token; what is left out stays as it is. Score sheets keep the old name."""

    name = Name(**OPTIONAL)
    token = Text(**OPTIONAL, help_text=f"{FAVOURITE} An empty text removes it.")

    def to_internal_value(self, data: Any) -> Any:
        read = super().to_internal_value(data)
        if read["name"] is None and read["token"] is None:
            raise Malformed(problem="no change")
        return read


class MergeRequestSerializer(StrictSerializer):
    """The player whose games these become."""

    into = Text(help_text="The id of the player who stays.")


# --- seasons ---


class SeasonSerializer(Answer):
    """A period of a group with a name."""

    id = Number()
    name = serializers.CharField()
    since = serializers.DateField(help_text="Its first day.")
    until = serializers.DateField(allow_null=True, help_text="Its last day; null: it goes on.")


class SeasonRequestSerializer(StrictSerializer):
    """A season, as it is to be. Seasons may overlap."""

    name = Name()
    since = Day(help_text="The first day.")
    until = Day(**OPTIONAL, help_text="The last day; left out, it goes on.")


class NewSeasonRequestSerializer(SeasonRequestSerializer, CreationRequestSerializer):
    """A season to add."""


# --- keys and invitations ---


class GroupKeySerializer(KeyAnswer):
    """A key of a group, without its secret."""

    id = Number()
    role = serializers.ChoiceField(GroupRole.values)
    label = serializers.CharField()  # type: ignore[assignment]  # a field with the name of an attribute
    created_at = Timestamp()
    program = serializers.BooleanField(
        source="is_program", help_text="A program holds it, and its secret can be renewed; else a browser does."
    )
    own = serializers.SerializerMethodField(help_text="Whether this key made the request.")


class GivenGroupKeySerializer(GroupKeySerializer):
    """A key of a group with its new secret."""

    key = serializers.CharField(source="secret", help_text=SHOWN_ONCE)
    feed = serializers.SerializerMethodField(
        help_text="The address of the latest finished games as an Atom feed. It opens nothing else; "
        f"`language` and `zone` (like Europe/Berlin) may follow as its query. {SHOWN_ONCE}"
    )

    def get_feed(self, key: GroupKey) -> str:
        return links.of_feed(self.context["request"], registry.feed_of(key))


class GroupKeyRequestSerializer(CreationRequestSerializer):
    """A key to issue."""

    role = Choice(choices=GroupRole.values)
    label = Text(**OPTIONAL)  # type: ignore[assignment]  # a field with the name of an attribute


class GroupInviteRequestSerializer(CreationRequestSerializer):
    """The role that an invitation gives."""

    role = Choice(choices=GroupRole.values)
    single_use = Flag(default=False, help_text="True: for one use.")


class OpenGroupInvitationSerializer(OpenInvitation):
    """An invitation that may still be used, without its code and link."""

    role = serializers.ChoiceField(GroupRole.values)


class GroupInvitationSerializer(NewInvitation):
    """A code and a link, shown this once, for 12 hours."""

    role = serializers.ChoiceField(GroupRole.values, source="invite.role")


class JoinedGroupSerializer(Answer):
    """A new key of a group."""

    group = serializers.CharField(source="group_id")
    role = serializers.ChoiceField(GroupRole.values)
    key = serializers.CharField(source="secret", help_text=SHOWN_ONCE)
    links = GroupLinksSerializer(source="group_id")


JOINED = PolymorphicProxySerializer("Joined", [JoinedTableSerializer, JoinedGroupSerializer], None)


# --- tables ---


class AdoptRequestSerializer(StrictSerializer):
    """A table to add to the group."""

    game = Text()
    key = Text(help_text="A key of the game that may record.")


class PlayerAtSeatSerializer(Answer):
    """A player of the group at a table."""

    seat = Seat(source="number")
    player = serializers.CharField(source="player_id")
    name = serializers.CharField()


class AdoptedGameSerializer(Answer):
    """A table of the group."""

    game = serializers.CharField(source="pk")
    seats = Computed(ListOf(PlayerAtSeatSerializer()), lambda game: game.seats.order_by("number"))
    links = LinksSerializer(source="pk")


class EnterRequestSerializer(CreationRequestSerializer):
    """The role at the table."""

    role = Choice(choices=[role.value for role in TABLE_ROLES])
