"""The documents about groups, their players and what their figures say.

Knows: the shapes that programs read; that each answer takes the same few questions however much was played.  Must not
know: requests; how a figure is made.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.api.base import known
from games.api.documents import Document, moment
from games.club import lists, statistics_queries, totals
from games.club.statistics import ratings
from games.club.statistics.summary import GroupSummary, PlayerSummary
from games.errors import NotFound
from games.models import Group, GroupKey, Player, Seat
from games.services import groups

# --- groups ---


def group(key: GroupKey, links: Mapping[str, str]) -> Document:
    """A group as the bearer of a key sees it."""
    found = key.group
    return {
        "id": found.pk,
        "name": found.name,
        "role": key.role,
        "created_at": moment(found.created_at),
        "games": found.figures.get("games", 0),
        "players": Player.objects.filter(group=found, merged_into=None).count(),
        "changes": found.changes,
        "links": dict(links),
    }


def keys_of(found: Group) -> list[GroupKey]:
    """The keys that are worth something, the oldest first."""
    browsers, programs = lists.keys_of(found)
    return sorted([*browsers, *programs], key=lambda key: key.pk)


def group_statistics(found: Group) -> Document:
    """What the games of a group come to.  `unrated`: games that the ratings have not seen yet."""
    unrated = groups.brought_forward(found)
    return {**GroupSummary.of(found.figures).to_json(), "unrated": unrated}


# --- players ---


def players(found: Group) -> list[Document]:
    """Everybody, those who play most first."""
    groups.brought_forward(found)
    return [player(each) for each in lists.players_of(found)]


def player(found: Player) -> Document:
    """A person of a group, in a few figures."""
    return {
        "id": found.pk,
        "name": found.name,
        "token": found.token or None,
        "erased": found.erased_at is not None,
        "games": found.figures.get("games", 0),
        "wins": found.figures.get("wins", 0),
        "rating": ratings.shown(totals.form_of(found)).to_json(),
    }


def demand_player(found: Group, player_id: str) -> Player:
    """The player of a group who plays under this id himself.

    Errors: `NotFound`.
    """
    person = lists.player_of(found, known(player_id))
    if person is None:
        raise NotFound()
    return person


def person_of(found: Group, player_id: str) -> Player:
    """Whoever is meant by an id: one who was merged into another is that other.

    Errors: `NotFound`.
    """
    person = lists.person_of(found, known(player_id))
    if person is None:
        raise NotFound()
    return person


def player_statistics(found: Group, player_id: str) -> Document:
    """Everything that is counted of a player.

    Errors: `NotFound`.
    """
    groups.brought_forward(found)
    person = person_of(found, player_id)
    form = totals.form_of(person)
    return {
        "player": {"id": person.pk, "name": person.name, "token": person.token or None},
        "merged_into": None if person.pk == player_id else person.pk,
        **PlayerSummary.of(person.figures).to_json(),
        "rating": ratings.shown(form).to_json(),
        "streak": form.streak,
        "longest_streak": form.longest,
        "ratings": _ratings(person),
        "partners": _partners(person),
        "companions": _companions(person),
    }


def _ratings(person: Player) -> list[Document]:
    """How the rating went in the latest games, the oldest of them first."""
    return [
        {"game": each.game_id, "at": moment(each.at), **each.shown.to_json(), "streak": each.form.streak}
        for each in statistics_queries.latest_games(person)
    ]


def _companions(person: Player) -> list[Document]:
    """Everybody who sat at one table with somebody, together and against each other, the most frequent first."""
    met = sorted(statistics_queries.companions_of(person), key=lambda each: (-each.summary.games, each.name, each.id))
    return [{"player": each.id, "name": each.name, **each.summary.to_json()} for each in met]


def _partners(person: Player) -> list[Document]:
    """With whom somebody shared a team, the most frequent first."""
    companions = [each for each in statistics_queries.companions_of(person) if each.summary.partners.rounds]
    companions.sort(key=lambda each: (-each.summary.partners.rounds, each.name, each.id))
    return [{"player": each.id, "name": each.name, **each.summary.partners.to_json()} for each in companions]


def pair_statistics(found: Group, one_id: str, other_id: str) -> Document:
    """What is counted of two players, nothing if they never sat at one table.

    Errors: `NotFound`, also for somebody and himself.
    """
    people = person_of(found, one_id), person_of(found, other_id)
    if people[0].pk == people[1].pk:
        raise NotFound()
    named = [{"id": each.pk, "name": each.name} for each in people]
    return {"players": named, **statistics_queries.of_pair(*people).summary.to_json()}


# --- seats ---


def seats_of(game_id: str) -> list[Document]:
    """Who sits where."""
    seats = Seat.objects.filter(game=game_id).order_by("number")
    return [{"seat": each.number, "player": each.player_id, "name": each.name} for each in seats]
