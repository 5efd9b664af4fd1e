"""Who holds the key of a seat, on the pages: the others are shown every change until they have seen it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from games.errors import SeatTaken
from games.formats.document import document, read_document
from games.keys import invitations, registry, sessions
from games.live.hub import hub
from games.log import store
from games.models import Game, GroupRole, Key, Role
from games.rules.replay import HolderChange, HolderEntry, SeatEntry
from games.services import creation, groups, seating, tables
from games.services.write import WriteRequest
from tests.builders import dutch
from tests.cast.digital import DigitalTable, over, rounds_finished
from tests.cast.groups import new_group
from tests.cast.pages import Page, Phone
from tests.cast.seats import at_seats, hosting, watching

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def game(db: None) -> DigitalTable:
    """Ana, Ben and Cleo, each on a phone."""
    return DigitalTable(dutch(3, rounds=2))


def takes(phone: Phone, game: DigitalTable, seat: int, maker: Key | None = None) -> Page:
    """A phone sits down by an invitation, the host's unless somebody else made it."""
    invitation = invitations.invite(game=game.game, role=Role.SEAT, seat=seat, maker=maker or game.host)
    phone.table = game
    return phone.get(f"/join/{invitation.token}/").press("Sit down")


def shown(page: Page) -> list[str]:
    """The changes of holders that wait to be seen, “freed: Ben”."""
    forms = page.root.all("form", id="unseen")
    return [_in_short(paragraph.text) for form in forms for paragraph in form.all("p")]


SENTENCES = {
    "other phone": r"Another phone plays for (\w+) now\.",
    "moved": r"(\w+) plays on another phone now\.",
    "returned": r"The phone that played for (\w+) before has taken the seat back\.",
    "freed": r"The host took the seat of (\w+) from its phone\.",
    "removed": r"The phone that played for (\w+) was removed\.",
    "joined": r"(.+) ha(?:s|ve) sat down\.",
    "bot": r"A bot plays for (\w+) now\.",
    "back": r"(\w+) is back\.",
    "after bot": r"(\w+) plays instead of \w+\.",
    "own seat": r"(\w+) plays instead of the bot\.",
    "left": r"The bot no longer plays for (\w+)\.",
    "from bot": r"Somebody plays for (\w+) instead of the bot\.",
    "bot again": r"The bot is back and plays for (\w+)\.",
}


def _in_short(sentence: str) -> str:
    found = ((change, re.fullmatch(pattern, sentence)) for change, pattern in SENTENCES.items())
    return next((f"{change}: {match[1]}" for change, match in found if match), sentence)


def in_banner(page: Page) -> bool:
    """Whether the banner says them below whose turn it is; else they lie over it."""
    banner, (form,) = page.root.one("section", class_="say"), page.root.all("form", id="unseen")
    assert banner.one("b").text
    return form in banner.all("form", id="unseen")


def cards(page: Page) -> bool:
    """Whether the page shows a hand."""
    return bool(page.root.all(id="hand"))


def waits_for_friends(game: DigitalTable) -> Phone:
    """Ana's phone, which has seen that the seats of Ben and Cleo are free."""
    ana = at_seats(game, 0)
    game.free(1)
    game.free(2)
    ana.open().press("Seen")
    return ana


def covers(page: Page) -> Page:
    """A player covers the first space of a row."""
    return page.phone.post("act", do="place", space="trump:red", version=page.version)


# --- shown until seen ---


def test_a_change_stays_on_every_phone_until_it_was_seen_there(game: DigitalTable) -> None:
    phones = [hosting(game), at_seats(game, 0), watching(game)]

    takes(Phone(), game, 1)
    game.step()

    for phone in phones:
        assert shown(phone.open()) == ["other phone: Ben"]
        assert shown(phone.open()) == ["other phone: Ben"]
        assert shown(phone.open().press("Seen")) == []
        assert shown(phone.open()) == []


def test_only_phones_that_have_lost_a_key_are_asked_to_leave(
    game: DigitalTable, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    left: list[list[int]] = []
    monkeypatch.setattr(hub, "end_revoked", lambda _game, keys: left.append(list(keys)))
    lost = game.keys[1].pk

    game.free(1)
    game.free(1)
    with django_capture_on_commit_callbacks(execute=True):
        takes(Phone(), game, 1)

    assert left == [[lost]]


def test_the_changes_are_one_panel_with_one_button(game: DigitalTable) -> None:
    ana = at_seats(game, 0)

    takes(Phone(), game, 1)
    game.free(2)

    page = ana.open()
    assert shown(page) == ["other phone: Ben", "freed: Cleo"]
    assert page.html.count("Seen</button>") == 1


def test_only_what_the_phone_has_shown_is_seen(game: DigitalTable) -> None:
    ana = at_seats(game, 0)
    takes(Phone(), game, 1)
    page = ana.open()
    game.free(2)

    assert shown(page.press("Seen")) == ["freed: Cleo"]


def test_of_friends_who_sit_down_only_those_who_were_shown_are_seen(game: DigitalTable) -> None:
    ana = waits_for_friends(game)
    takes(Phone(), game, 2)
    page = ana.open()
    takes(Phone(), game, 1)
    assert shown(ana.open()) == ["joined: Cleo and Ben"]

    assert shown(page.press("Seen")) == ["joined: Ben"]


def test_that_friends_sat_down_goes_by_itself_and_another_phone_waits_for_its_tap(game: DigitalTable) -> None:
    ana = waits_for_friends(game)
    takes(Phone(), game, 2)
    page = ana.open()
    arrived = page.root.one(id="unseen")
    assert in_banner(page)
    assert len(arrived.one("noscript").all("button")) == len(arrived.all("button")) == 1

    takes(Phone(), game, 2)

    page = ana.open()
    taken = page.root.one(id="unseen")
    assert not in_banner(page)
    assert taken.all("button")
    assert not taken.all("noscript")


def test_what_went_by_itself_is_seen_unless_a_seat_has_another_phone_since(game: DigitalTable) -> None:
    ana = waits_for_friends(game)
    takes(Phone(), game, 2)
    page = ana.open()
    (timer,) = page.root.one(id="unseen").all("span")
    assert "delay" in timer.attrs["hx-trigger"]

    def goes() -> None:
        ana.post_to(timer.attrs["hx-post"], {"version": page.version, "request_id": "f" * 32, "passed": "1"})

    takes(Phone(), game, 2)
    page = ana.open()
    goes()
    assert shown(ana.open()) == ["other phone: Cleo"]

    page = ana.open().press("Seen")
    takes(Phone(), game, 1)
    page = ana.open()
    assert shown(page) == ["joined: Ben"]
    goes()
    assert shown(ana.open()) == []


def test_a_player_who_plays_on_has_seen_which_friends_sat_down(game: DigitalTable) -> None:
    game.step()
    game.free(1)
    cleo = at_seats(game, 2, htmx=True)
    cleo.open().press("Seen")
    takes(Phone(), game, 1)
    page = cleo.open()
    assert shown(page) == ["joined: Ben"]

    assert shown(covers(page)) == []
    assert shown(cleo.open()) == []


def test_a_player_who_plays_on_has_not_seen_that_a_seat_has_another_phone(game: DigitalTable) -> None:
    game.step()
    cleo = at_seats(game, 2, htmx=True)
    takes(Phone(), game, 1)

    assert shown(covers(cleo.open())) == ["other phone: Ben"]


def test_who_sat_down_while_a_tap_was_on_its_way_is_not_seen_with_it(game: DigitalTable) -> None:
    game.step()
    game.free(1)
    cleo = at_seats(game, 2, htmx=True)
    page = cleo.open().press("Seen")
    takes(Phone(), game, 1)

    assert shown(covers(page)) == ["joined: Ben"]


def test_a_phone_asks_for_news_after_another_window_has_seen_the_change(game: DigitalTable) -> None:
    ana = at_seats(game, 0)
    takes(Phone(), game, 1)
    page = ana.open()
    news = page.address + page.root.one(id="table").attrs["data-query"] + f"&since={page.version}"
    assert ana.get(news).status == 204

    ana.open().press("Seen")

    assert (ana.get(news).status, shown(ana.get(news))) == (200, [])


def test_no_version_of_the_future_is_seen(game: DigitalTable) -> None:
    ana = at_seats(game, 0)

    ana.post("seen", version=999)
    takes(Phone(), game, 1)

    assert shown(ana.open()) == ["other phone: Ben"]


def test_the_phone_that_made_a_change_needs_no_notice_of_it(game: DigitalTable) -> None:
    ana, newcomer = hosting(game, 0), Phone()

    takes(newcomer, game, 1)
    assert shown(newcomer.open()) == []
    ana.open(seat="0").press("Seen")
    ana.post("seat_free", 2)

    assert shown(ana.open(seat="0")) == []
    assert shown(newcomer.open()) == ["freed: Cleo"]


def test_a_change_of_ones_own_hides_no_earlier_one(game: DigitalTable) -> None:
    ana = hosting(game, 0)
    takes(Phone(), game, 1)

    ana.post("seat_free", 2)

    assert shown(ana.open(seat="0")) == [
        "other phone: Ben",
        "freed: Cleo",
    ]


def test_the_cover_between_two_hands_shows_the_changes(game: DigitalTable) -> None:
    phone = at_seats(game, 0, 2)
    takes(Phone(), game, 1)

    page = phone.open()

    assert "is-cover" in page.root.one(id="table").attrs["class"]
    assert shown(page) == ["other phone: Ben"]
    assert shown(page.press("Seen")) == []


def test_who_sits_down_is_shown_who_had_a_seat_of_this_round_before(game: DigitalTable) -> None:
    game.free(2)
    takes(Phone(), game, 2)
    game.free(2)
    cleo = Phone()

    takes(cleo, game, 2)

    assert shown(cleo.open()) == [
        "freed: Cleo",
        "freed: Cleo",
    ]
    assert shown(cleo.open().press("Seen")) == []


def test_who_sits_down_is_not_shown_who_sat_down_before(game: DigitalTable) -> None:
    waits_for_friends(game)
    takes(Phone(), game, 1)
    cleo = Phone()

    takes(cleo, game, 2)

    assert shown(cleo.open()) == [
        "freed: Ben",
        "freed: Cleo",
        "joined: Ben",
    ]


def test_who_sits_down_is_shown_which_hand_of_a_bot_was_read_in_this_round(db: None) -> None:
    game, cleo = DigitalTable(dutch(3), bots={1: "easy"}), Phone()
    takes(Phone(), game, 1)
    game.put_bot(1, "easy")

    takes(cleo, game, 2)

    assert shown(cleo.open())[:2] == ["from bot: Ben", "bot again: Ben"]


def test_who_sits_down_is_not_shown_the_changes_of_an_earlier_round(game: DigitalTable) -> None:
    takes(Phone(), game, 2)
    game.keys[2] = Key.objects.get(game=game.id, seat=2, revoked_at=None)
    game.play_on(rounds_finished(1))
    ben = Phone()

    takes(ben, game, 1)

    assert shown(ben.open()) == []


def test_a_player_on_another_phone_reads_on_where_the_old_one_ended(game: DigitalTable) -> None:
    ben, second, third = at_seats(game, 1), Phone(), Phone()
    takes(Phone(), game, 0)
    ben.open().press("Seen")
    takes(Phone(), game, 2)

    takes(second, game, 1, maker=game.keys[1])
    assert shown(second.open()) == ["other phone: Cleo"]
    second.open().press("Seen")
    takes(third, game, 1, maker=Key.objects.latest("pk"))

    assert shown(third.open()) == []


# --- the sentences ---


def test_the_log_says_how_a_seat_changed_its_phone(game: DigitalTable) -> None:
    ben, other, new = at_seats(game, 1), Phone(), Phone()
    key = takes(other, game, 1, maker=game.keys[1])
    assert key.status == 200
    ben.open().press("Play Ben on this phone again")
    game.free(1)
    takes(new, game, 1)
    takes(Phone(), game, 1)

    assert shown(at_seats(game, 0).open()) == [
        "moved: Ben",
        "returned: Ben",
        "freed: Ben",
        "other phone: Ben",
    ]
    lines = [entry.one("p").text for entry in at_seats(game, 0).open("history").root.all("article")]
    assert lines[:2] == ["6. Another phone plays for Ben now", "5. Ben has sat down"]


def test_a_phone_that_has_seen_two_hands_of_a_round_is_named(game: DigitalTable) -> None:
    ben = at_seats(game, 1)

    takes(ben, game, 2)

    assert game.ledger.entries[-1] == HolderEntry(2, 2, HolderChange.CLAIMED, (1,))
    assert shown(at_seats(game, 0).open()) == [
        "Another phone plays for Cleo now; in this round the same phone has also had the seat of Ben."
    ]


def test_a_phone_that_has_lost_a_seat_is_named_until_the_next_deal(game: DigitalTable) -> None:
    ben = at_seats(game, 1)
    takes(Phone(), game, 1)

    takes(ben, game, 2)
    game.play_on(rounds_finished(1))
    takes(ben, game, 0)

    changes = [entry.also for entry in game.ledger.entries if isinstance(entry, HolderEntry)]
    assert changes == [(), (1,), (2,)]


def test_a_table_that_one_phone_opens_for_two_says_so(db: None) -> None:
    ana = Phone()
    names = {"name-0": "Ana", "name-1": "Ben", "name-2": "Cleo", "plays-1": "easy", "plays-2": "here"}

    ana.open("new").fill_in({"mode": "digital", **names}, press="Start")

    game = Game.objects.get()
    assert store.read(game).entries[-1] == HolderEntry(3, 2, HolderChange.JOINED, (0,))
    assert not ana.get(f"/g/{game.pk}/").root.all(id="unseen")


# --- bots ---


def test_who_is_invited_to_the_seat_of_a_bot_plays_it_and_the_others_are_shown(db: None) -> None:
    game = DigitalTable(dutch(3), bots={2: "easy"})

    page = takes(Phone(), game, 2)

    assert cards(page)
    assert game.ledger.entries[-2:] == (SeatEntry(3, 2, None), HolderEntry(4, 2, HolderChange.JOINED))
    assert shown(at_seats(game, 0).open()) == ["from bot: Cleo"]


def test_that_a_hand_was_taken_from_a_bot_and_given_back_stays_until_it_was_read(db: None) -> None:
    game = DigitalTable(dutch(3), bots={2: "easy"})
    ana = at_seats(game, 0, htmx=True)
    game.step()
    takes(Phone(), game, 2)
    taken = ana.open()
    assert "passes" not in taken.root.one(id="unseen").attrs["class"].split()
    assert not taken.root.one(id="unseen").all("span")

    game.put_bot(2, "easy")

    both = ["from bot: Cleo", "bot again: Cleo"]
    assert shown(covers(ana.open())) == both
    ana.post("seen", version=game.game.version, passed="1")
    assert shown(ana.open()) == both
    assert shown(ana.open().press("Seen")) == []


def test_taking_a_seat_back_from_a_bot_is_shown_to_the_others_each_time(game: DigitalTable) -> None:
    phones = [at_seats(game, 0), watching(game)]
    ben = at_seats(game, 1)
    game.put_bot(1, "easy")

    assert cards(ben.open().press("Take your seat back"))

    for phone in phones:
        assert shown(phone.open()) == ["back: Ben"]
        assert shown(phone.open().press("Seen")) == []


def test_who_is_back_in_a_seat_that_a_bot_kept_goes_by_itself(game: DigitalTable) -> None:
    ana, ben = at_seats(game, 0, htmx=True), at_seats(game, 1)
    game.put_bot(1, "easy")
    ben.open().press("Take your seat back")

    assert in_banner(ana.open())
    ana.post("seen", version=game.game.version, passed="1")

    assert shown(ana.open()) == []


def test_a_phone_shows_no_notice_that_it_took_its_own_seat_back(game: DigitalTable) -> None:
    ben, cleo = at_seats(game, 1), at_seats(game, 2)
    game.put_bot(1, "easy")
    ben.open().press("Take your seat back")
    takes(Phone(), game, 2)
    cleo.open().press("Play Cleo on this phone again")

    assert shown(ben.open()) == ["other phone: Cleo", "returned: Cleo"]
    assert shown(cleo.open()) == ["back: Ben"]


def test_that_another_phone_had_a_seat_stays_though_its_player_is_back_from_a_bot(game: DigitalTable) -> None:
    ana, new = at_seats(game, 0, htmx=True), Phone()
    takes(new, game, 1)
    game.put_bot(1, "easy")
    new.open().press("Take your seat back")

    assert shown(ana.open()) == ["other phone: Ben", "back: Ben"]
    ana.post("seen", version=game.game.version, passed="1")
    assert shown(ana.open()) == ["other phone: Ben", "back: Ben"]


def test_a_bot_that_leaves_a_seat_without_a_phone_gives_it_back_to_no_player(game: DigitalTable) -> None:
    ana = waits_for_friends(game)
    game.put_bot(1, "easy")
    game.put_bot(1, None)

    assert shown(ana.open()) == ["left: Ben"]


def test_a_bot_of_the_beginning_that_leaves_gives_its_seat_back_to_no_player(db: None) -> None:
    game = DigitalTable(dutch(3), bots={1: "easy"})

    game.put_bot(1, None)

    assert shown(at_seats(game, 0).open()) == ["left: Ben"]


def test_who_takes_over_from_a_bot_that_has_left_first_has_taken_its_cards(game: DigitalTable) -> None:
    ana = waits_for_friends(game)
    game.put_bot(1, "easy")
    game.put_bot(1, None)
    ana.open().press("Seen")
    game.step()

    takes(Phone(), game, 1)

    page = ana.open()
    assert shown(page) == ["own seat: Ben"]
    assert "passes" not in page.root.one(id="unseen").attrs["class"].split()


@pytest.mark.parametrize("leaves_first", [False, True])
def test_who_types_a_name_in_the_place_of_a_bot_is_named_with_the_bot(db: None, *, leaves_first: bool) -> None:
    game, friend = DigitalTable(dutch(3).with_names({"Cleo": "Player 3"})), Phone()
    ana = at_seats(game, 0)
    game.free(2)
    game.put_bot(2, "easy")
    ana.open().press("Seen")
    invitation = invitations.invite(game=game.game, role=Role.SEAT, seat=2, maker=game.host)

    if leaves_first:
        game.put_bot(2, None)
        assert shown(ana.open().press("Seen")) == []
    friend.get(f"/join/{invitation.token}/").press("Sit down", name="Cleo")

    page = ana.open()
    assert shown(page) == ["after bot: Cleo"]
    assert "passes" not in page.root.one(id="unseen").attrs["class"].split()


def test_who_has_read_that_a_bot_plays_for_them_needs_no_notice_of_taking_the_seat_back(game: DigitalTable) -> None:
    ben = at_seats(game, 1)
    game.put_bot(1, "easy")
    assert shown(ben.open().press("Seen")) == []

    assert shown(ben.open().press("Take your seat back")) == []


def test_the_phone_that_puts_a_bot_in_needs_no_notice_of_it(game: DigitalTable) -> None:
    ana, ben = hosting(game, 0), at_seats(game, 1)

    ana.post("seat_bot", 2, level="easy")

    assert shown(ana.open(seat="0")) == []
    assert shown(ben.open()) == ["bot: Cleo"]


def test_the_phone_that_puts_a_bot_in_has_seen_who_sat_down_before(game: DigitalTable) -> None:
    ana, ben = hosting(game, 0), at_seats(game, 1)
    ana.post("seat_free", 1)
    takes(ben, game, 1)
    assert shown(ana.open(seat="0")) == ["joined: Ben"]

    ana.post("seat_bot", 2, level="easy")

    assert shown(ana.open(seat="0")) == []


def test_that_a_bot_plays_for_somebody_waits_for_a_tap_on_their_phone_alone(game: DigitalTable) -> None:
    ben, others = at_seats(game, 1, htmx=True), [at_seats(game, 0, htmx=True), watching(game)]

    game.put_bot(1, "easy")

    for phone in [ben, *others]:
        assert in_banner(phone.open()) is (phone is not ben)
        phone.post("seen", version=game.game.version, passed="1")
        assert shown(phone.open()) == (["bot: Ben"] if phone is ben else [])


def test_a_result_has_no_banner_that_says_it(game: DigitalTable) -> None:
    game.play_on(rounds_finished(1))

    game.put_bot(1, "easy")

    page = at_seats(game, 0).open()
    assert shown(page) == ["bot: Ben"]
    assert "passes" in page.root.one(id="unseen").attrs["class"].split()


def test_a_notice_that_waits_for_a_tap_says_whose_turn_it_is_as_it_lies_over_that(game: DigitalTable) -> None:
    ana = at_seats(game, 0)
    takes(Phone(), game, 1)

    page = ana.open()

    assert page.root.one(id="unseen").one("b").text == page.root.one("section", class_="say").one("b").text


def test_another_level_of_a_bot_is_no_change_of_hands(db: None) -> None:
    game = DigitalTable(dutch(3), bots={2: "easy"})

    game.put_bot(2, "strong")

    assert shown(at_seats(game, 0).open()) == []


def test_while_a_bot_plays_for_somebody_their_phone_shows_no_hand(game: DigitalTable) -> None:
    ben = at_seats(game, 1)
    assert cards(ben.open())

    game.put_bot(1, "easy")
    page = ben.open()

    assert not cards(page)
    assert not any(str(card) in page.html for card in set(game.full.hands[1]))
    assert cards(page.press("Take your seat back"))
    assert game.ledger.entries[-1] == SeatEntry(3, 1, None)


def test_a_seat_is_taken_back_from_a_bot_too(game: DigitalTable) -> None:
    ben = at_seats(game, 1)
    takes(Phone(), game, 1)
    game.put_bot(1, "easy")

    page = ben.open().press("Play Ben on this phone again")

    assert cards(page)
    assert game.ledger.bots == (None, None, None)


def test_a_phone_that_plays_the_seat_already_keeps_its_key_and_the_invitation(game: DigitalTable) -> None:
    ben = at_seats(game, 1)
    game.put_bot(1, "easy")
    invitation = invitations.invite(game=game.game, role=Role.SEAT, seat=1, maker=game.host)

    ben.get(f"/join/{invitation.token}/").press("Sit down")

    assert game.ledger.entries[1:] == (SeatEntry(2, 1, "easy"), SeatEntry(3, 1, None))
    assert Key.objects.get(pk=game.keys[1].pk).revoked_at is None
    assert takes(Phone(), game, 1).status == 200


# --- the phone that lost its seat ---


def test_a_phone_whose_key_was_revoked_is_shown_why_and_comes_back_by_an_invitation_only(game: DigitalTable) -> None:
    ben = at_seats(game, 1)
    game.revoke(1)

    page = ben.open()

    assert (page.status, page.notice) == (403, "This phone may no longer play for Ben.")
    assert not page.offers("Play Ben on this phone again")
    assert ben.post("seat_again", 1).status == 404
    assert takes(ben, game, 1).status == 200


def test_after_a_revocation_the_phones_that_had_the_seat_before_do_not_take_it_back(game: DigitalTable) -> None:
    ben, second = at_seats(game, 1), Phone()
    takes(second, game, 1, maker=game.keys[1])
    key = Key.objects.latest("pk")

    tables.revoke_key(game_id=game.id, key_id=key.pk, actor=game.host)

    assert ben.post("seat_again", 1).status == 404
    assert (second.open().status, ben.open().status) == (403, 403)
    assert not registry.is_taken(game.game, 1)


def test_two_taps_take_a_seat_back_once(game: DigitalTable) -> None:
    ben = at_seats(game, 1)
    takes(Phone(), game, 1)
    again = ben.before_the_answer()

    assert ben.post("seat_again", 1).status == 302
    assert again.post("seat_again", 1).status == 302

    assert [entry.change for entry in game.ledger.entries[1:]] == [HolderChange.CLAIMED, HolderChange.RETURNED]
    assert cards(ben.open())
    assert cards(again.open())


def test_two_requests_at_once_take_a_seat_back_once(game: DigitalTable) -> None:
    ben = at_seats(game, 1)
    takes(Phone(), game, 1)
    session = ben.client.session
    (lost,) = sessions.lost_of_session(session, game.id)

    first = seating.claim(game_id=game.id, seat=1, by=Key.objects.get(pk=lost.pk), session=session)

    assert seating.claim(game_id=game.id, seat=1, by=lost, session=session) == first
    assert game.game.version == 3


def test_a_player_whose_seat_in_the_rematch_was_freed_needs_an_invitation_to_it(game: DigitalTable) -> None:
    game.play_on(over)
    ben = at_seats(game, 1)
    rematch = creation.rematch(game=game.game, ledger=game.seen(None), creator_label="Ana", own_seats=[0]).game
    assert ben.open("menu").root.one(id="rematch").all("form")
    ben.post("follow")
    host = registry.creator_of(rematch)

    seating.free_seat(game_id=rematch.pk, seat=1, actor=host)

    assert not ben.open("menu").root.one(id="rematch").all("form")
    assert ben.post("follow").status == SeatTaken.status
    assert not registry.is_taken(rematch, 1)


def test_a_member_who_is_removed_from_the_group_leaves_the_seat_with_an_entry(db: None) -> None:
    group = new_group()
    game = DigitalTable(dutch(3), group=group)
    member = registry.issue(group=group, role=GroupRole.MEMBER, label="Max")
    phone = Phone()
    phone.joins(member)
    game.free(1)
    seating.claim(game_id=game.id, seat=1, by=member, session=phone.client.session)

    groups.revoke_key(group_id=group.pk, key_id=member.pk)

    assert shown(at_seats(game, 0).open())[-1] == "removed: Ben"
    changes = [entry.change for entry in game.ledger.entries if isinstance(entry, HolderEntry)]
    assert changes == [HolderChange.FREED, HolderChange.JOINED, HolderChange.REVOKED]
    assert Key.objects.latest("pk").lost_at == game.game.version - 1


def remove_member() -> tuple[DigitalTable, Phone]:
    """The phone of a member of the group, from whom the host took seat 1."""
    group = new_group()
    game = DigitalTable(dutch(3), group=group)
    phone = Phone()
    phone.joins(registry.issue(group=group, role=GroupRole.MEMBER, label="Max"))
    phone.table = game
    game.free(1)
    assert phone.post("enter", seat="1").status == 302
    game.free(1)
    return game, phone


def test_a_member_whose_seat_the_host_took_needs_an_invitation(db: None) -> None:
    game, phone = remove_member()
    version = game.game.version

    assert phone.post("enter", seat="1").status == SeatTaken.status
    assert game.game.version == version
    assert takes(phone, game, 1).status == 200


def test_a_member_whose_seat_the_host_took_may_look_on(db: None) -> None:
    _, phone = remove_member()

    page = phone.open()
    page = phone.follow(page.root.one("a", href=phone.address_of("enter")), page).press("Only look")

    assert (page.status, cards(page)) == (200, False)


def test_after_the_end_a_change_is_an_entry_too(game: DigitalTable) -> None:
    game.play_on(over)
    tables.lock(game_id=game.id, actor=game.host, request=WriteRequest())

    takes(Phone(), game, 1)

    assert game.ledger.entries[-1] == HolderEntry(game.game.version, 1, HolderChange.CLAIMED)
    assert read_document(document(game.game)).ledger.entries == game.ledger.entries
    assert shown(at_seats(game, 0).open()) == ["other phone: Ben"]


# --- the replay ---


def test_a_change_has_its_place_in_the_replay(game: DigitalTable) -> None:
    game.step()
    takes(Phone(), game, 1)
    game.step()

    pages = [at_seats(game, 0).open("replay_step", step) for step in (1, 2, 3)]

    sentence = "Another phone plays for Ben now."
    assert [sentence in page.root.one(role="status").text for page in pages] == [False, True, False]
    assert all(page.root.one(id="steps").text.count(sentence) == 1 for page in pages)
