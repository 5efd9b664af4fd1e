"""The figures of groups and players as documents; each takes the same few queries however many games there are."""

from __future__ import annotations

from games.api.ids import demand_id
from games.api.serializers.fields import Timestamp
from games.errors import NotFound
from games.groups import lists, selections, statistics_queries, totals
from games.groups.history import Filters
from games.groups.statistics import ratings
from games.models import Group, Player
from games.services import groups

Document = dict[str, object]


def players(group: Group) -> list[Player]:
    """All players with up-to-date figures, those with most games first."""
    groups.rate_waiting_games(group)
    return lists.players_of(group)


def person_of(group: Group, player_id: str) -> Player:
    """The player with an id; for one who was merged into another, that other.

    Errors: `NotFound`.
    """
    person = lists.person_of(group, demand_id(player_id))
    if person is None:
        raise NotFound()
    return person


def group_statistics(group: Group, filters: Filters) -> Document:
    """What is counted of these games of a group.  `unrated`: games of all that the ratings do not contain yet."""
    unrated = groups.rate_waiting_games(group)
    some = selections.group_in(group, filters)
    standings = [
        {
            "place": each.place,
            "player": each.player_id,
            "name": each.name,
            "games": each.games,
            "wins": each.wins,
            "points": each.points,
        }
        for each in some.standings
    ]
    return {**some.summary.to_json(), "unrated": unrated, "standings": standings}


def player_statistics(group: Group, player_id: str, filters: Filters) -> Document:
    """What is counted of a player in these games, and the rating by all games.

    Errors: `NotFound`.
    """
    groups.rate_waiting_games(group)
    person = person_of(group, player_id)
    form = totals.form_of(person)
    selection = selections.player_in(group, person, filters)
    companions = selection.companions
    by_games = sorted(companions, key=lambda each: (-each.summary.games, each.name, each.id))
    partners = [each for each in companions if each.summary.partners.rounds]
    partners.sort(key=lambda each: (-each.summary.partners.rounds, each.name, each.id))
    return {
        "player": {"id": person.pk, "name": person.name, "token": person.token or None},
        "merged_into": None if person.pk == player_id else person.pk,
        **selection.player.summary.to_json(),
        "rating": ratings.shown(form).to_json(),
        "streak": form.streak,
        "longest_streak": form.longest,
        "ratings": [
            {
                "game": each.game_id,
                "at": Timestamp().to_representation(each.at),
                **each.shown.to_json(),
                "streak": each.form.streak,
            }
            for each in statistics_queries.latest_games(person)
        ],
        "partners": [{"player": each.id, "name": each.name, **each.summary.partners.to_json()} for each in partners],
        "companions": [{"player": each.id, "name": each.name, **each.summary.to_json()} for each in by_games],
    }


def pair_statistics(group: Group, one_id: str, other_id: str, filters: Filters) -> Document:
    """What is counted of two players in these games; zeros if they never sat at one table.

    Errors: `NotFound`, also for one player named twice.
    """
    people = person_of(group, one_id), person_of(group, other_id)
    if people[0].pk == people[1].pk:
        raise NotFound()
    named = [{"id": each.pk, "name": each.name} for each in people]
    return {"players": named, **selections.pair_in(group, *people, filters).summary.to_json()}
