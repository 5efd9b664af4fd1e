"""Phones without a seat of a digital table, with several, with one that a bot or another phone has taken."""

from __future__ import annotations

import json

import pytest

from games.keys import invitations
from games.live.hub import hub
from games.live.presence import MISSED_AFTER
from games.models import Key, Role
from tests.builders import dutch
from tests.cast.digital import DigitalTable, over, rounds_finished
from tests.cast.pages import Page, Phone
from tests.cast.seats import at_seats, hosting, is_there, watching
from tests.pages.digital import choosing, in_tricks, send

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


# --- bots ---


def test_a_player_takes_the_seat_back_from_a_bot(db: None) -> None:
    table = in_tricks()
    table.put_bot(0, "easy")
    phone = at_seats(table, 0)

    page = phone.open()
    assert "A bot plays for you." in page.text
    assert not page.root.all("button", name="card")
    assert send(phone, "act", do="play", card=str(table.full.hands[0][0])).status == 409

    page.press("Take your seat back")

    assert table.ledger.bots[0] is None
    assert "A bot plays for you." not in phone.open().text


def test_once_the_game_is_over_no_seat_is_taken_back(db: None) -> None:
    table = in_tricks()
    table.put_bot(0, "easy")
    table.play_on(over)

    assert not at_seats(table, 0).open().offers("Take your seat back")


def invites(phone: Phone) -> bool:
    """Whether a tool of the table leads to the invitation."""
    return "Invite" in [link.text for link in phone.open().root.one("footer").all("a")]


def test_the_host_is_one_tap_from_the_invitation_until_people_have_all_seats_of_friends(db: None) -> None:
    table = in_tricks()
    host, friend = hosting(table), at_seats(table, 2)
    assert not invites(host)

    table.free(1)
    assert (invites(host), invites(friend)) == (True, False)
    table.put_bot(1, "easy")

    assert (invites(host), invites(friend)) == (True, False)
    assert Phone().sits(table, table.host).open().press("Invite").address == f"/g/{table.id}/phones/"


def test_against_bots_alone_no_one_is_invited(db: None) -> None:
    assert not invites(hosting(DigitalTable(dutch(3), bots={1: "easy", 2: "easy"}), 0))


def test_a_bot_is_distinguished_from_a_player(db: None) -> None:
    table = in_tricks()
    table.put_bot(1, "strong")

    seat = next(
        node
        for node in at_seats(table, 0).open().root.one("ol", class_="seats").all("li")
        if node.attrs["data-seat"] == "1"
    )

    assert "The strong bot" in seat.text


@pytest.mark.parametrize("level", ["easy", "strong"])
def test_at_the_table_the_host_puts_a_bot_where_the_phone_of_who_is_due_is_away(db: None, level: str) -> None:
    table = in_tricks(dutch(3, rounds=2))
    (due,) = table.state.acting_seats
    host = at_seats(table, (due + 1) % 3, key=table.host, htmx=True)
    if level != "easy":
        table.put_bot((due + 2) % 3, level)
    page = host.open()
    form = page.root.one("form", class_="is-gone")
    assert str(table.keys[due].pk) in form.attrs["data-phones"].split()
    assert "hidden" in form.attrs

    page = page.press(f"Put a bot here ({table.state.setup.names[due]})")

    assert table.ledger.bots[due] == level
    assert page.root.one(id="table").attrs["data-version"] == str(table.game.version)
    assert not page.root.all("form", class_="is-gone")


def test_at_the_table_any_player_puts_a_bot_where_host_and_player_are_missed_and_not_before(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = in_tricks(dutch(3, rounds=2))
    (due,) = table.state.acting_seats
    friend = at_seats(table, (due + 1) % 3, htmx=True)
    is_there(table, table.keys[due], table.host)
    heard_at, seconds = hub.clock(), MISSED_AFTER - 1
    monkeypatch.setattr(hub, "clock", lambda: heard_at + seconds)

    page = friend.open()
    (form,) = page.root.all("form", class_="is-gone")
    offer = f"Put a bot here ({table.state.setup.names[due]})"

    assert {str(table.keys[due].pk), str(table.host.pk)} <= set(form.attrs["data-phones"].split())
    assert form.attrs["data-silent"] == "missed"
    assert page.press(offer).status == 403
    assert table.ledger.bots[due] is None
    seconds = MISSED_AFTER
    missed = {phone["key"] for phone in hub.presence.shown(table.id, hub.clock()) if phone.get("missed")}
    assert missed == {table.keys[due].pk, table.host.pk}
    assert not watching(table).open().root.all("form", class_="is-gone")
    assert not friend.open().press(offer).root.all("form", class_="is-gone")
    assert table.ledger.bots[due] == "easy"


def test_of_those_who_choose_at_once_each_can_be_replaced_once_the_host_has_chosen(db: None) -> None:
    table = choosing("discard_1")
    table.put_bot(3, "easy")
    host = hosting(table, 0)
    assert not host.open().root.all("form", class_="is-gone")

    table.step()

    forms = host.open().root.all("form", class_="is-gone")
    assert [each.attrs["action"] for each in forms] == [f"/g/{table.id}/seats/{seat}/bot/" for seat in (1, 2)]


def test_the_table_names_those_who_have_not_come_yet(db: None) -> None:
    table = DigitalTable(dutch(3), bots={2: "easy"})
    host = hosting(table, 0)
    assert "data-missing" not in host.open().root.one(id="table").attrs

    table.free(1)

    assert json.loads(host.open().root.one(id="table").attrs["data-missing"]) == ["Ben"]


# --- one phone for several seats ---


def test_between_two_seats_of_one_phone_lies_a_cover(db: None) -> None:
    table = DigitalTable(dutch(3, rounds=2))
    phone = at_seats(table, 0, 1, 2, key=table.host)
    first = table.state.setup.names[table.state.acting_seats[0]]

    page = phone.open()

    assert f"Pass the phone to {first}" in page.text
    assert "in-hand" not in page.html
    shown = page.press(f"I am {first}: show my hand")
    assert shown.root.all(id="hand")
    assert "in-hand" in shown.html


def test_after_a_tap_the_cover_comes_back(db: None) -> None:
    table = DigitalTable(dutch(3, rounds=2))
    seat = table.state.acting_seats[0]
    phone = at_seats(table, 0, 1, 2, htmx=True)

    page = phone.open(seat=str(seat)).press("Cover 3 points")

    following = table.state.setup.names[table.state.acting_seats[0]]
    assert f"Pass the phone to {following}" in page.text
    assert "in-hand" not in page.html
    assert table.state.current.board.markers == 1


def test_the_table_turns_to_the_next_player_with_their_hand_only(db: None) -> None:
    table = in_tricks(dutch(3, rounds=2))
    seat = table.state.acting_seats[0]
    phone = at_seats(table, 0, 1, 2, htmx=True)
    names = table.state.setup.names

    def nearest(page: Page) -> str:
        seats = page.root.one("ol", class_="seats").all("li")
        (own,) = [each for each in seats if "at-me" in each.attrs["class"].split()]
        return own.attrs["data-seat"]

    table.act(seat, table.view(seat).legal[0])
    following = table.state.acting_seats[0]
    covered = phone.open()
    assert nearest(covered) == str(seat), "their card lies in front of them"
    assert nearest(covered.press(f"I am {names[following]}: show my hand")) == str(following)


def test_news_bring_the_cover_when_another_of_the_phones_seats_is_due(db: None) -> None:
    table = DigitalTable(dutch(3, rounds=2))
    acting = table.state.acting_seats[0]
    idle = (acting + 1) % 3
    phone = at_seats(table, acting, idle, htmx=True)

    looked_at = phone.open().press(f"I am {table.state.setup.names[idle]}: show my hand")
    assert "in-hand" in looked_at.html
    assert "open" not in looked_at.root.one(id="table").attrs["data-query"]
    assert "in-hand" not in phone.open(seat=str(idle), since="0").html


@pytest.mark.parametrize("htmx", [False, True])
def test_under_the_cover_the_address_names_no_one_and_loading_it_again_shows_no_hand(db: None, htmx: bool) -> None:
    table = DigitalTable(dutch(3, rounds=2))
    seat = table.state.acting_seats[0]
    other = (seat + 1) % 3
    phone = at_seats(table, seat, other, htmx=htmx)
    bare = f"/g/{table.id}/"

    tapped = phone.open(seat=str(seat)).press("Cover 3 points")

    if htmx:
        assert tapped.response["HX-Replace-Url"] == bare
    else:
        assert (tapped.address, tapped.response.request["QUERY_STRING"]) == (bare, "")
    for query in ({}, {"seat": str(seat)}, {"seat": str(seat), "round": "1"}):
        again = at_seats(table, seat, other).open(**query)
        assert f"Pass the phone to {table.state.setup.names[other]}" in again.text
        assert "in-hand" not in again.html


@pytest.mark.parametrize("htmx", [True, False])
def test_a_shared_phone_shows_the_result_first_and_then_the_cover(db: None, htmx: bool) -> None:
    table = DigitalTable(dutch(3, rounds=2)).play_on(rounds_finished(1))
    acting = table.state.acting_seats[0]
    idle = (acting + 1) % 3

    result = at_seats(table, acting, idle, htmx=htmx).open()
    cover = result.press("Go on")
    hand = cover.press(f"I am {table.state.setup.names[idle]}: show my hand")

    assert "is-result" in result.root.one(id="table").attrs["class"]
    assert "Pass the phone" not in result.text
    assert f"Pass the phone to {table.state.setup.names[acting]}" in cover.text
    assert ["in-hand" in page.html for page in (result, cover, hand)] == [False, False, True]


def test_a_finished_game_lies_open_on_a_phone_that_goes_round(db: None) -> None:
    table = DigitalTable(dutch(3, rounds=1)).play_on(over)

    page = at_seats(table, 0, 1).open()

    assert "data-over" in page.root.one(id="table").attrs
    assert page.root.one("section", class_="victory")
    assert "Nobody on this phone has a turn now" not in page.text
    assert at_seats(table, 0, 1, htmx=True).open(since="0").root.one("section", class_="victory")


# --- seats that are claimed elsewhere, and who is heard of ---


def news_for(phone: Phone, page: Page) -> Page:
    """What a phone is answered that shows this page and asks whether there is anything new."""
    return phone.get(page.address + page.root.one(id="table").attrs["data-query"] + f"&since={page.version}")


@pytest.mark.parametrize("seats", [(0,), (0, 1)])
def test_a_phone_that_keeps_a_key_is_shown_at_once_that_a_seat_was_claimed_elsewhere(
    db: None, seats: tuple[int, ...]
) -> None:
    table = DigitalTable(dutch(3, rounds=2))
    phone = at_seats(table, *seats, key=table.host, htmx=True)
    page = phone.open(seat="0", open="1")
    assert "in-hand" in page.html
    assert news_for(phone, page).status == 204

    at_seats(table, 2).get(f"/join/{invitations.invite(game=table.game, role=Role.SEAT, seat=0).token}/").press(
        "Sit down"
    )
    seen = news_for(phone, page)

    assert seen.status == 200
    assert "I am Ana" not in seen.text
    assert seen.root.one(id="table").attrs["data-query"].endswith("own=" + ".".join(map(str, seats[1:])))
    if len(seats) == 1:
        assert "in-hand" not in seen.html
        assert "was taken on another phone" in seen.text
    # Shown once: no page asks for itself again and again.
    assert news_for(phone, seen).status == 204


@pytest.mark.parametrize("main", ["none", "viewer", "host"])
def test_every_seat_of_a_phone_is_heard_of(db: None, main: str) -> None:
    table = DigitalTable(dutch(3, rounds=2))
    Key.objects.filter(pk=table.keys[1].pk).update(at_opening=False)
    keys = {"none": None, "viewer": table.viewer, "host": table.host}
    phone = at_seats(table, 0, 1, key=keys[main], htmx=True)

    phone.open(since=str(table.game.version))

    heard = hub.present(table.id)
    assert table.keys[1].pk in heard
    # The seat that the host took with the table is known to be on the host's phone.
    assert (table.keys[0].pk in heard) == (main != "host")
    assert main == "none" or keys[main].pk in heard
    assert "data-several" in phone.open().html


def test_a_phone_with_one_key_asks_no_more_often_than_its_line_says(db: None) -> None:
    assert "data-several" not in at_seats(DigitalTable(dutch(3, rounds=2)), 0).open().html


def test_a_seat_of_thousands_of_digits_is_none(db: None) -> None:
    table = DigitalTable(dutch(3, rounds=2))

    assert at_seats(table, 0, 1).open(seat="1" * 5000).status == 200


def test_a_seat_that_the_phone_does_not_bear_is_not_shown(db: None) -> None:
    table = DigitalTable(dutch(3, rounds=2))

    page = at_seats(table, 0, 1).open(seat="2")

    assert "in-hand" not in page.html
