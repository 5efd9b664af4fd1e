"""The phones of a table stay together: who began the next game is said to all, and a key of the old game opens it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from typing import Any
from urllib.parse import parse_qsl

import pytest
from django.urls import reverse
from django.utils import timezone

from games.keys import registry, sessions
from games.models import Game, Group, GroupRole, Key, Mode, Role, Status
from games.services import creation, deletion, tables
from tests.builders import dutch
from tests.cast.digital import DigitalTable, over
from tests.cast.pages import Page, Phone, come_in, sit_down
from tests.cast.seats import at_seats, hosting, watching
from tests.cast.tables import ROUND_1, ROUND_2, Table

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

FINISHED = (*ROUND_1, *ROUND_2)


def rematch(phone: Phone) -> Game:
    """The rematch that a phone opens at its table."""
    return Game.objects.get(pk=phone.open().press("Rematch").address.split("/")[2])


def play_on(game: Game) -> Game:
    """The same game at its end."""
    key = Key.objects.filter(game=game).earliest("pk")
    for line in FINISHED:
        Table.record(_table_of(game, key), line)
    game.refresh_from_db()
    return game


def _table_of(game: Game, key: Key) -> Table:
    table = Table.__new__(Table)
    table.way, table.id, table.key = Table(dutch(3)).way, game.pk, key
    return table


def goes_to(phone: Phone, game: Game, page: str = "table") -> Page:
    """A page of a game as a phone opens it by its address."""
    return phone.get(reverse(f"games:{page}", args=[game.pk]))


def keys_of(game: Game) -> list[tuple[str, str]]:
    """Who has a key of a game, and may do what."""
    return list(Key.objects.filter(game=game, revoked_at=None).order_by("pk").values_list("label", "role"))


# --- what is said ---


@pytest.mark.parametrize(("who", "place"), [("ana", "menu"), ("ben", "table"), ("cleo", "table"), ("cleo", "menu")])
def test_every_phone_of_the_table_reads_who_began_the_rematch_and_goes_there(
    finished: Table, ana: Phone, ben: Phone, cleo: Phone, who: str, place: str
) -> None:
    registry.rename(finished.key, "Ana")
    game = rematch(ana)

    page = {"ana": ana, "ben": ben, "cleo": cleo}[who].open(place)

    assert "Ana began the rematch" in page.text
    assert not page.offers("Rematch")
    assert page.press("Go there").address == f"/g/{game.pk}/"


def test_until_then_nothing_is_said(finished: Table, ben: Phone, cleo: Phone) -> None:
    assert ben.open().offers("Rematch")
    assert not any(phone.open(place).offers("Go there") for phone in (ben, cleo) for place in ("table", "menu"))


def test_a_game_that_goes_on_after_all_says_nothing(finished: Table, ana: Phone, ben: Phone) -> None:
    rematch(ana)

    finished.reopen()

    assert not ben.open().offers("Go there")
    assert "data-next" not in ben.open().root.one(id="table").attrs


def test_a_rematch_in_the_bin_is_not_the_next_game_until_it_is_restored(
    finished: Table, ana: Phone, ben: Phone
) -> None:
    game = rematch(ana)
    deletion.delete_game(game_id=game.pk)

    assert ben.open().offers("Rematch")
    assert goes_to(ben, game).status == 404
    deletion.restore_game(game_id=game.pk, actor=Key.objects.get(game=game))
    assert ben.open().press("Go there").address == f"/g/{game.pk}/"


def test_a_rematch_of_a_game_that_was_deleted_in_the_same_second_is_not_its_next_game(finished: Table) -> None:
    ledger = finished.ledger
    deletion.delete_game(game_id=finished.id)

    creation.rematch(game=finished.game, ledger=ledger, creator_label="Ana", after=finished.key)

    assert Game.objects.get(pk=finished.id).next is None


@pytest.mark.parametrize("page", ["table", "screen"])
def test_a_phone_that_shows_the_latest_version_is_sent_the_next_game_once(
    finished: Table, ana: Phone, ana_htmx: Phone, page: str
) -> None:
    version = str(finished.version)
    assert ana_htmx.open(page, since=version).status == 204
    game = rematch(ana)
    if page == "screen":
        # Without a way there it stays, and asks as little as before.
        Key.objects.filter(game=game).update(revoked_at=timezone.now())

    news = ana_htmx.open(page, since=version)

    assert news.status == 200
    (root,) = news.root.all(has="data-next")
    shown = dict(parse_qsl(root.attrs["data-query"].removeprefix("?")))
    assert shown["next"] == game.pk
    assert ana_htmx.open(page, since=version, **shown).status == 204


# --- the key ---


@pytest.mark.parametrize("page", ["table", "screen"])
def test_a_phone_gets_the_same_key_for_the_next_game_without_joining(
    finished: Table, ana: Phone, ben: Phone, cleo: Phone, page: str
) -> None:
    game = rematch(ana)

    assert [goes_to(phone, game, page).status for phone in (ben, cleo)] == [200, 200]

    assert keys_of(game)[1:] == [("Ben’s phone", "scorekeeper"), ("Cleo’s phone", "viewer")]
    assert goes_to(ben, game).offers("Start placing")
    assert not goes_to(cleo, game).offers("Start placing")


def test_a_key_that_came_through_a_group_ends_with_it_there_too(finished: Table, ana: Phone, group: Group) -> None:
    through = registry.issue(group=group, role=GroupRole.MEMBER, label="Max")
    key = registry.issue(game=finished.game, role=Role.VIEWER, label="Max", through=through)
    game = rematch(ana)

    goes_to(Phone().sits(finished, key), game)

    assert Key.objects.get(game=game, follows=key).through == through


def test_two_requests_at_once_get_one_key(finished: Table, ana: Phone, ben: Phone) -> None:
    game, early = rematch(ana), ben.before_the_answer()

    assert [goes_to(phone, game).status for phone in (ben, early, ben)] == [200, 200, 200]

    assert len(keys_of(game)) == 2


def test_a_phone_that_missed_games_goes_on_with_the_latest(finished: Table, ana: Phone, ben: Phone) -> None:
    second = play_on(rematch(ana))
    third = play_on(rematch(ana.sits(second, Key.objects.get(game=second))))
    fourth = rematch(ana.sits(third, Key.objects.get(game=third)))

    assert goes_to(ben, fourth).offers("Start placing")

    assert [len(keys_of(game)) for game in (second, third, fourth)] == [1, 1, 2]
    # By way of the last one that it was at, and no other.
    assert Key.objects.get(game=fourth, label="Ben’s phone").follows.game_id == finished.id
    assert goes_to(ben, third).status == 200


# --- who does not get one ---


def revoke(game: Game, label: str) -> None:
    key = Key.objects.get(game=game, label=label)
    tables.revoke_key(game_id=game.pk, key_id=key.pk)


def of_the_old_game(old: Game, new: Game, ben: Phone) -> None:
    revoke(old, "Ben’s phone")


def of_the_new_game(old: Game, new: Game, ben: Phone) -> None:
    goes_to(ben, new)
    revoke(new, "Ben’s phone")


@pytest.mark.parametrize(
    ("revoked", "later", "is_old_session"),
    [(of_the_old_game, 0, True), (of_the_old_game, 1, False), (of_the_new_game, 0, False), (of_the_new_game, 1, True)],
)
def test_a_revoked_key_opens_no_later_game(
    finished: Table,
    ana: Phone,
    ben: Phone,
    revoked: Callable[[Game, Game, Phone], None],
    later: int,
    is_old_session: bool,
) -> None:
    """Nor does the older key, in a session that has never had the revoked one."""
    new, early = rematch(ana), ben.before_the_answer()
    revoked(finished.game, new, ben)
    if later:
        new = rematch(ana.sits(play_on(new), Key.objects.filter(game=new).earliest("pk")))
    phone = early if is_old_session else ben

    pages = [goes_to(phone, new, page) for page in ("table", "sheet", "screen")]

    assert [page.status for page in pages] == [404] * 3
    assert ("Ben’s phone", "scorekeeper") not in keys_of(new)


def test_the_phone_that_began_the_rematch_does_not_come_back_by_its_old_key(
    finished: Table, ana: Phone, ben: Phone
) -> None:
    early = ana.before_the_answer()
    game = rematch(ana)
    goes_to(ben, game)
    tables.revoke_key(game_id=game.pk, key_id=Key.objects.filter(game=game).earliest("pk").pk)

    assert [goes_to(phone, game).status for phone in (ana, early)] == [404, 404]


def test_no_one_else_gets_in(finished: Table, ana: Phone, dan: Phone, eve: Phone) -> None:
    game = rematch(ana)

    assert [goes_to(phone, game).status for phone in (dan, eve)] == [404, 404]
    assert len(keys_of(game)) == 1


def test_nothing_is_sent_to_the_next_game_before_it_was_opened(finished: Table, ana: Phone, ben: Phone) -> None:
    game = rematch(ana)

    page = ben.post_to(f"/g/{game.pk}/act/", {"do": "place", "space": "trump:red"})

    assert (page.status, game.version) == (404, 0)
    assert len(keys_of(game)) == 1


def test_the_key_of_the_next_game_does_not_open_the_one_before(finished: Table, ana: Phone) -> None:
    game = rematch(ana)
    phone = Phone().sits(game, registry.issue(game=game, role=Role.SCOREKEEPER, label="Dan’s phone"))

    assert goes_to(phone, finished.game).status == 404


@pytest.mark.parametrize("name", ["g\0me", "", "x" * 12])
def test_an_address_that_leads_nowhere_leads_nowhere(finished: Table, ana: Phone, name: str) -> None:
    assert ana.get(f"/g/{name}/").status == 404


# --- a second rematch ---


def test_a_second_rematch_leads_to_the_first(finished: Table, ana: Phone, ben: Phone) -> None:
    page = ben.open()
    game = rematch(ana)

    late = page.press("Rematch")

    assert late.address == f"/g/{game.pk}/"
    assert late.offers("Start placing")
    assert Game.objects.filter(rematch_of=finished.id).get() == game
    assert keys_of(game)[1:] == [("Ben’s phone", "scorekeeper")]


def test_what_a_program_opens_besides_leads_no_phone_away(finished: Table, ana: Phone, ben: Phone) -> None:
    game = rematch(ana)

    creation.rematch(game=finished.game, ledger=finished.ledger, creator_label=None)

    assert Game.objects.filter(rematch_of=finished.id).count() == 2
    assert ben.open().press("Go there").address == f"/g/{game.pk}/"


def test_the_rematch_of_a_program_leads_phones_too(finished: Table, ben: Phone) -> None:
    game = creation.rematch(game=finished.game, ledger=finished.ledger, creator_label=None).game

    assert ben.open().press("Go there").address == f"/g/{game.pk}/"
    assert ("Ben’s phone", "scorekeeper") in keys_of(game)


# --- the television ---


@pytest.mark.parametrize("is_fragment", [False, True])
def test_a_television_goes_on_by_itself_over_all_games_that_it_missed(
    finished: Table, ana: Phone, cleo: Phone, is_fragment: bool
) -> None:
    second = play_on(rematch(ana))
    third = rematch(ana.sits(second, Key.objects.get(game=second)))
    cleo.headers = {"HX-Request": "true"} if is_fragment else {}

    answer = cleo.client.get(cleo.address_of("screen"), {"since": finished.version}, headers=cleo.headers, follow=True)

    assert [address for address, _ in answer.redirect_chain] == [
        reverse("games:screen", args=[game.pk]) for game in (second, third)
    ]
    assert answer.status_code == 200
    assert keys_of(third)[1:] == [("Cleo’s phone", "viewer")]


def test_a_television_whose_key_was_revoked_stays(finished: Table, ana: Phone, cleo: Phone) -> None:
    game = rematch(ana)
    goes_to(cleo, game)
    revoke(game, "Cleo’s phone")

    page = cleo.open("screen")

    assert (page.status, page.address) == (200, cleo.address_of("screen"))


# --- cards on the phones ---


def test_viewers_of_a_digital_game_go_on_as_viewers() -> None:
    game = DigitalTable(dutch(3, rounds=1)).play_on(over)
    registry.rename(game.host, "Ana")
    ana, zoe = hosting(game, 0), watching(game)
    ana.open().press("Rematch")
    again = Game.objects.get(rematch_of=game.id)

    page = zoe.open()

    assert "Ana began the rematch" in page.text
    assert page.press("Go there").status == 200
    assert Key.objects.get(game=again, follows=zoe.key).role == Role.VIEWER


def test_another_host_looks_on_at_the_rematch() -> None:
    """Who opens a table invites to its seats, and no one else."""
    game = DigitalTable(dutch(3, rounds=1)).play_on(over)
    other = at_seats(game, key=registry.issue(game=game.game, role=Role.SCOREKEEPER, label="Dan"))
    hosting(game, 0).open().press("Rematch")

    assert other.open().press("Go there").status == 200

    again = Game.objects.get(rematch_of=game.id)
    assert Key.objects.get(game=again, follows=other.key).role == Role.VIEWER


def test_a_player_does_not_go_on_without_the_seat() -> None:
    game = DigitalTable(dutch(3, rounds=1)).play_on(over)
    ben = at_seats(game, 1)
    hosting(game, 0).open().press("Rematch")
    again = Game.objects.get(rematch_of=game.id)

    assert goes_to(ben, again).status == 404
    assert ben.open().press("Go there").address == f"/g/{again.pk}/"
    assert Key.objects.get(game=again, label="Ben").seat == 1


# --- the next game of an evening in a group ---


def opens_table(phone: Phone, mode: str = "table", others: Sequence[str] = ("Eva", "Fritz", "Gerd")) -> Game:
    """The table that a member opens in the group, for a game of other players."""
    page = phone.open("group").press("New table")
    before = set(Game.objects.values_list("pk", flat=True))
    page.press("Start", mode=mode, **{f"name_{place}": name for place, name in enumerate(others)})
    return Game.objects.exclude(pk__in=before).get()


@pytest.fixture
def ended(group: Group) -> Table:
    """A game of the club that has just ended."""
    return Table(None, *FINISHED, group=group)


@pytest.fixture
def max_there(ended: Table, max_: Phone) -> Phone:
    """The member, who has recorded the game that has ended."""
    key = registry.issue(game=ended.game, role=Role.SCOREKEEPER, label="Max", through=max_.group_key)
    return max_.sits(ended, key)


def test_the_next_table_of_an_evening_in_a_group_is_the_next_game(ended: Table, max_there: Phone) -> None:
    guest = sit_down(ended, role=Role.VIEWER, label="Guest")

    game = opens_table(max_there)

    page = guest.open()
    assert "Max’s phone began the next game" in page.text
    assert page.press("Go there").address == f"/g/{game.pk}/"
    assert game.rematch_of is None
    assert keys_of(game)[1:] == [("Guest", "viewer")]


def test_only_the_first_one(ended: Table, max_there: Phone) -> None:
    first = opens_table(max_there)

    opens_table(max_there, others=("Hans", "Ines", "Jo"))

    assert ended.game.next == first


@pytest.fixture
def olga_there(ended: Table, olga: Phone) -> Phone:
    """The owner, who has recorded that game too."""
    key = registry.issue(game=ended.game, role=Role.SCOREKEEPER, label="Olga", through=olga.group_key)
    return olga.sits(ended, key)


def test_two_phones_that_open_it_for_the_same_players_open_one(
    group: Group, max_there: Phone, olga_there: Phone
) -> None:
    late = olga_there.open("group").press("New table")
    first = opens_table(max_there)

    page = late.press("Start", name_0="Gerd", name_1="Fritz", name_2="Eva")

    assert page.address == f"/g/{first.pk}/"
    assert page.offers("Start placing")
    assert Game.objects.filter(group=group).count() == 2


@pytest.mark.parametrize("change", [{"mode": "digital"}, {"others": ("Eva", "Fritz", "Hans")}])
def test_another_mode_or_other_players_make_another_game(
    max_there: Phone, olga_there: Phone, change: dict[str, Any]
) -> None:
    opens_table(max_there)

    opens_table(olga_there, **change)


def test_the_same_players_may_open_another_one_once_it_has_ended(max_there: Phone, olga_there: Phone) -> None:
    first = opens_table(max_there)
    Game.objects.filter(pk=first.pk).update(status=Status.FINISHED, finished_at=timezone.now())

    opens_table(olga_there)


def test_a_scorekeeper_looks_on_where_the_cards_are_on_the_phones(ended: Table, max_there: Phone) -> None:
    ben = sit_down(ended, label="Ben’s phone")

    game = opens_table(max_there, mode="digital")

    assert game.mode == Mode.DIGITAL
    assert goes_to(ben, game).status == 200
    assert Key.objects.get(game=game, label="Ben’s phone").role == Role.VIEWER


def long_ago(ended: Table, phone: Phone) -> None:
    Game.objects.filter(pk=ended.id).update(finished_at=timezone.now() - timedelta(hours=5))


def goes_on(ended: Table, phone: Phone) -> None:
    ended.reopen()


def has_no_key(ended: Table, phone: Phone) -> None:
    session = phone.client.session
    sessions.forget(session, ended.id)
    session.save()


def is_revoked(ended: Table, phone: Phone) -> None:
    tables.revoke_key(game_id=ended.id, key_id=phone.key.pk)


@pytest.mark.parametrize("prepare", [long_ago, goes_on, has_no_key, is_revoked])
def test_another_table_is_not_the_next_game(
    ended: Table, max_there: Phone, prepare: Callable[[Table, Phone], None]
) -> None:
    prepare(ended, max_there)

    opens_table(max_there)

    assert ended.game.next is None


def test_nor_is_one_outside_of_the_group(finished: Table, ana: Phone) -> None:
    ana.open("new").press("Start", name_0="Eva", name_1="Fritz", name_2="Gerd")

    assert finished.game.next is None


def test_an_outsider_of_the_group_gets_a_key_of_the_game_alone(ended: Table, max_there: Phone, group: Group) -> None:
    guest, open_to = sit_down(ended, label="Guest"), partial(come_in, group, GroupRole.VIEWER)
    game = opens_table(max_there)

    goes_to(guest, game)

    assert guest.get(f"/groups/{group.pk}/").status == 404
    assert open_to().open("group").status == 200
