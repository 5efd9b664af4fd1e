"""Every page of a group and of its statistics, each as a function that brings a phone there.

Knows: which pages there are and what they can show: long names, tokens, programs, phones, several games.  Must not
know: what is measured there.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date

from django.urls import reverse

from games.formats import document as records
from games.keys import invitations, registry
from games.models import Group, GroupRole
from games.services import group_players, seasons
from tests.browser.phone import Phone
from tests.browser.prepared import give, sit
from tests.browser.states import Opening
from tests.cast.groups import FRIENDS, CastGroup, new_group, of_chance, played, player, three
from tests.cast.tables import Table

GROUP_STATES: dict[str, Opening] = {}


def full_group() -> tuple[Group, Table, Table]:
    """A group with everything that a page of it can show, one of its finished games, and one that is being played."""
    group = new_group("The Thursday club of the Hohenzollernstraße")
    names = ("Ana", "Maximiliane-Alexandra", "Ben")
    table = played(group, *names)
    for _ in range(2):
        played(group, *names)
    running = Table(three("Ben", "Ana", "Wolfeschlegelstein"), group=group)
    group_players.change_player(group_id=group.pk, player_id=player(group, "Ana").pk, token="pink")
    group_players.add_player(group_id=group.pk, name="Friedrich-Wilhelm", token="lilac")
    seasons.create_season(group_id=group.pk, name="The long winter of the Hohenzollern", since=date(2026, 1, 1))
    registry.issue(group=group, role=GroupRole.VIEWER, label="nightly export", program=True)
    registry.issue(group=group, role=GroupRole.VIEWER, label="Friedrich-Wilhelm’s phone")
    return group, table, running


def of_owner(phone: Phone, group: Group) -> None:
    """Give the phone the key of an owner."""
    give(phone, registry.issue(group=group, role=GroupRole.OWNER, label="Ana’s phone"))


def unfold(phone: Phone) -> None:
    """Open everything that is folded."""
    phone.page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true })")


def _page(name: str, address: Callable[[Group, Table, Table], str]) -> None:
    def opening(phone: Phone) -> None:
        group, table, running = full_group()
        of_owner(phone, group)
        sit(phone, table)
        phone.open(address(group, table, running))
        unfold(phone)

    GROUP_STATES[f"group-{name}"] = opening


def _below(path: str) -> Callable[[Group, Table, Table], str]:
    """An address below the group's; `ana` and `ben` are two of its players, `table` a finished game, `season` one."""

    def address(group: Group, table: Table, _running: Table) -> str:
        ana, ben = player(group, "Ana").pk, player(group, "Ben").pk
        season = group.seasons.get().pk
        return f"/groups/{group.pk}/{path.format(ana=ana, ben=ben, table=table.id, season=season)}"

    return address


for name, path in {
    "home": "",
    "history": "games/",
    "history-narrowed": "games/?player={ana}&players=3",
    "history-none": "games/?players=5",
    "history-refused": "games/?cursor=x",
    "evening": "evening/{table}/",
    "players": "players/",
    "seasons": "seasons/",
    "season": "seasons/{season}/",
    "standings": "statistics/?season={season}",
    "keys": "keys/",
    "edit": "players/{ana}/edit/",
    "merge": "players/{ana}/merge/?into={ben}",
    "erase": "players/{ana}/erase/",
    "dissolve": "dissolve/",
    "settings": "settings/",
    "archive": "archive/",
}.items():
    _page(name, _below(path))

_page("new", lambda *_: "/groups/new/")
_page("none", lambda *_: "/groups/000000000000/")
_page(
    "welcome",
    lambda group, *_: f"/join/{invitations.invite_to_group(group=group, role=GroupRole.MEMBER).token}/",
)
_page("enter", lambda _group, _table, running: f"/g/{running.id}/enter/")
_page("adopt", lambda _group, table, _running: f"/g/{table.id}/group/")
_page("export", lambda _group, table, _running: f"/g/{table.id}/export/")
_page("import", lambda *_: "/import/")
_page("tables", lambda *_: "/")
_page("new-table", lambda group, *_: f"/new/?group={group.pk}")
_page("sheet", lambda _group, _table, running: f"/g/{running.id}/sheet/")


def _import_of_a_new_name(phone: Phone) -> None:
    group, table, _ = full_group()
    of_owner(phone, group)
    phone.open(f"/import/?group={group.pk}")
    phone.page.locator("textarea").fill(records.text(table.game).replace('"Maximiliane-', '"Maximilliane-'))
    phone.tap("Import")
    phone.sees("is new in this group")


GROUP_STATES["group-import-of-a-new-name"] = _import_of_a_new_name


OLD_GAMES = """day;Ana;Maximiliane-Alexandre;Ben;rules;place
2026-01-15;42;7;30;njet-english;Garden
2026-02-31;1;2;3;;
"""


def old_games(phone: Phone) -> None:
    """A list with a name that is asked about, a game and a line that is none."""
    group, _table, _running = full_group()
    of_owner(phone, group)
    phone.open(f"/groups/{group.pk}/paper/")
    phone.write(phone.page.locator('[name="text"]'), OLD_GAMES)
    phone.tap("Look at it first")
    phone.sees("is no day")


GROUP_STATES["group-old-games"] = old_games


# --- statistics ---


def four_friends() -> CastGroup:
    """Four friends after two games."""
    friends, chance = CastGroup(), random.Random(3)
    for day, names in enumerate((FRIENDS[:3], FRIENDS[1:4]), start=1):
        friends.bring(*of_chance(chance, names, rounds=3), at=f"2026-03-0{day}T20:00:00Z")
    return friends


def statistics_of(friends: CastGroup) -> dict[str, str]:
    """The addresses of the three pages."""
    ids = sorted(friends.player(name).pk for name in ("Ben", "Cleo"))
    return {
        "group": reverse("games:group_statistics", args=[friends.id]),
        "player": reverse("games:player", args=[friends.id, ids[0]]),
        "pair": reverse("games:pair", args=[friends.id, *ids]),
    }


def _statistics(name: str) -> None:
    def opening(phone: Phone) -> None:
        friends = four_friends()
        give(phone, friends.key)
        phone.open(statistics_of(friends)[name])
        unfold(phone)

    GROUP_STATES[f"statistics-{name}"] = opening


for name in ("group", "player", "pair"):
    _statistics(name)
