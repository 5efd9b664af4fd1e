"""The pages of a game with the deals of an earlier one: they say so, and compare both at the end.

The comparison is shown to browsers that the sheet of the earlier game is open to, and to no others.
"""

from __future__ import annotations

import pytest

from games.keys import sessions
from games.models import Game
from games.pages.digital.same_deals import compare
from games.rules import Action
from games.rules.redaction import PlayerView
from tests.builders import dutch
from tests.cast.digital import DigitalTable, over, rounds_finished
from tests.cast.groups import new_group
from tests.cast.pages import Phone, come_in
from tests.cast.seats import at_seats, hosting, watching

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def last(view: PlayerView) -> Action:
    """Another way to play than the first legal action."""
    return view.legal[-1]


@pytest.fixture
def earlier(db: None) -> DigitalTable:
    """A finished game of two rounds."""
    return DigitalTable(dutch(3, rounds=2)).play_on(over)


@pytest.fixture
def again(earlier: DigitalTable) -> DigitalTable:
    """The same deals, one round played in another way."""
    return earlier.same_deals().play_on(rounds_finished(1), last)


def both(phone: Phone, earlier: DigitalTable, again: DigitalTable, *seats: int) -> Phone:
    """A browser with its seats of the earlier game too."""
    session = phone.client.session
    sessions.remember_seats(session, [earlier.keys[seat] for seat in seats])
    session.save()
    phone.table = again
    return phone


def comparison(phone: Phone) -> list[str]:
    """The comparison on the page of the table, in words; nothing if there is none."""
    return [section.text for section in phone.open("table").root.all("section", id="compared")]


def test_the_menu_says_that_the_deals_are_those_of_an_earlier_game(earlier: DigitalTable, again: DigitalTable) -> None:
    for phone in (hosting(again, 0), at_seats(again, 1), watching(again)):
        assert phone.open("menu").root.all(id="same-deals")
    assert not hosting(earlier, 0).open("menu").root.all(id="same-deals")


def test_while_it_is_played_nothing_of_the_earlier_game_is_shown(earlier: DigitalTable, again: DigitalTable) -> None:
    ben = both(at_seats(again, 1), earlier, again, 1)

    assert not comparison(ben)
    for name in ("table", "menu", "sheet", "replay"):
        assert earlier.id not in ben.open(name).response.content.decode()


def test_at_the_end_both_games_are_compared_round_by_round(earlier: DigitalTable, again: DigitalTable) -> None:
    again.play_on(over, last)
    (text,) = comparison(both(at_seats(again, 1), earlier, again, 1))

    old, new = earlier.state, again.state
    for points in zip(old.totals, new.totals, strict=True):
        assert "{} → {}".format(*points).replace("-", "−") in text
    expected = compare(old, new, earlier.id, 1, is_same=True)
    assert expected.sentence in text
    assert "you scored" in text


def test_it_leads_to_the_sheet_of_the_earlier_game(earlier: DigitalTable, again: DigitalTable) -> None:
    again.play_on(over, last)
    ben = both(at_seats(again, 1), earlier, again, 1)
    (link,) = ben.open("table").root.one("section", id="compared").all("a")

    assert link.attrs["href"] == f"/g/{earlier.id}/sheet/"
    assert ben.client.get(link.attrs["href"]).status_code == 200


def test_a_browser_without_a_key_of_the_earlier_game_reads_no_comparison(
    earlier: DigitalTable, again: DigitalTable
) -> None:
    again.play_on(over, last)

    for phone in (hosting(again, 0), at_seats(again, 1), watching(again)):
        assert not comparison(phone)
        assert earlier.id not in phone.open("table").response.content.decode()
    assert Phone().client.get(f"/g/{again.id}/").status_code == 404


def test_a_revoked_key_of_the_earlier_game_opens_no_comparison(earlier: DigitalTable, again: DigitalTable) -> None:
    again.play_on(over, last)
    ben = both(at_seats(again, 1), earlier, again, 1)
    earlier.revoke(1)

    assert not comparison(ben)


def test_another_player_of_the_seat_reads_its_name(earlier: DigitalTable, again: DigitalTable) -> None:
    again.play_on(over, last)

    (text,) = comparison(both(at_seats(again, 1), earlier, again, 2))
    assert "With the same deals Ben scored" in text


def test_a_member_of_the_group_reads_the_comparison(earlier: DigitalTable, again: DigitalTable) -> None:
    again.play_on(over, last)
    group = new_group()
    Game.objects.filter(pk__in=[earlier.id, again.id]).update(group=group)
    vera = come_in(group)
    vera.sits(again, again.viewer)

    (text,) = comparison(vera)
    assert f"{again.state.setup.names[again.state.winners[0]]} scored" in text


def test_a_game_whose_earlier_game_was_deleted_has_no_comparison(earlier: DigitalTable, again: DigitalTable) -> None:
    again.play_on(over, last)
    ben = both(at_seats(again, 1), earlier, again, 1)
    Game.objects.filter(pk=again.id).update(deals_of=None)

    assert not comparison(ben)
