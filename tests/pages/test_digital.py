"""The table on the phone in words and parts: what a seat is shown of a digital game, and nothing else."""

from __future__ import annotations

from random import Random

import pytest

from games.log.ledger import Ledger, ledger_of
from games.pages.digital import page as page_module
from games.pages.digital.cards import hand_of
from games.pages.digital.cover import cover_page
from games.pages.digital.page import DigitalPage, digital_page
from games.pages.digital.proposals import TakebackOffer, takeback_offer
from games.pages.digital.seats import SeatView
from games.pages.digital.seen import Seen
from games.rules import Action, ActionEntry, Deal, Discard, Pass, PublicState, Setup
from games.rules.entries import setup_to_json
from games.rules.proposals import ClaimRest, Proposal, Takeback
from games.rules.redaction import view_for
from games.rules.replay import AnswerEntry, ProposalEntry, SeatEntry
from games.templatetags.njet import cut_names
from games.texts import words
from tests.builders import (
    deal_of,
    dealt_by_chance,
    digital,
    dutch,
    english,
    french,
    in_order,
    in_tricks,
    italian,
    placing,
    read,
)


class Game:
    """A digital game in memory: entries are added, everybody looks."""

    def __init__(self, setup: Setup, deal: Deal | None = None) -> None:
        self.setup = digital(setup)
        self.ledger: Ledger = ledger_of("", setup_to_json(self.setup), ())
        self.add(deal or dealt_by_chance(self.setup.ruleset, Random(7)))

    def add(self, action: Action, seat: int | None = None) -> Game:
        """One more action."""
        self.ledger = self.ledger.with_entries([ActionEntry(self.ledger.version + 1, action, seat)])
        return self

    def settle(self, conditions: str, *more: str) -> Game:
        """The board with these spaces open, and what follows."""
        for action in placing(self.ledger.state, conditions):
            self.add(action)
        for line in more:
            self.add(read(line))
        return self

    def act(self, times: int = 1) -> Game:
        """The first seat that is due does the first thing that it may."""
        for _ in range(times):
            full = self.ledger.replay.full
            seat = full.acting_seats[0]
            action = full.legal_actions(seat)[0]
            self.add(action, seat if isinstance(action, Discard | Pass) else None)
        return self

    def page(self, seat: int | None, **asked: object) -> DigitalPage:
        """What a seat, or everybody, is shown."""
        return digital_page(self.ledger.seen_by(seat), **asked)

    @property
    def state(self) -> PublicState:
        """What everybody sees."""
        return self.ledger.state


def others(page: DigitalPage) -> list[SeatView]:
    """The seats around the reader's own."""
    return [seat for seat in page.seats if not seat.is_me]


def tricks(conditions: str = "0 njet red blue 3", team: str = "team 1", setup: Setup | None = None) -> Game:
    """The tricks of a first round."""
    return Game(setup or italian()).settle(conditions, team)


# --- secrets ---

BEFORE = {
    "board": lambda game: game,
    "choose": lambda game: game.settle("0 discard_2 red blue 3", "team 1"),
    "one has chosen": lambda game: game.settle("0 discard_2 red blue 3", "team 1").add(
        Discard(game.ledger.replay.full.hands[0][:2]), 0
    ),
    "tricks": lambda game: game.settle("0 njet red blue 3", "team 1").act(),
}


@pytest.mark.parametrize("when", BEFORE)
def test_cards_that_a_reader_cannot_see_change_nothing_on_their_page(when: str) -> None:
    deal = dealt_by_chance(italian().ruleset, Random(7))
    swapped = Deal((*deal.hands[:2], deal.hands[3], deal.hands[2]))
    one, other = (BEFORE[when](Game(italian(), each)) for each in (deal, swapped))
    assert one.ledger != other.ledger

    for reader in (None, 0, 1):
        assert one.page(reader) == other.page(reader)


def test_a_spectator_has_no_hand_and_nothing_to_do() -> None:
    page = tricks().page(None)

    assert (page.cards.hand, page.me, page.asking.takeback, page.reader.due) == (None, None, None, "")
    assert not page.asking.may_claim
    assert not page.reader.is_due
    assert len(others(page)) == 4


# --- who plays with whom ---


def test_who_plays_with_whom_is_said_to_the_others_until_somebody_acts() -> None:
    game = tricks()
    start = game.state.acting_seats[0]
    said = [bool(game.page(seat).teams.named) for seat in range(4)]

    assert said == [seat != start for seat in range(4)]
    assert game.page(None).teams.named
    game.act()
    assert {game.page(seat).teams.named for seat in (None, *range(4))} == {""}


def test_it_is_not_said_again_once_a_first_one_has_chosen_cards() -> None:
    game = Game(english(4)).settle("0 pass_2_right red blue 3", "team 1")
    assert any(game.page(seat).teams.named for seat in range(4))

    game.act()

    assert {game.page(seat).teams.named for seat in (None, *range(4))} == {""}


# --- the hand ---


def test_trump_and_super_trump_are_marked_and_read_out() -> None:
    full = in_tricks(
        italian(), "0 njet red blue 3", "team 1", "R9 B1 K4 B5", "R1 R2 R3 R4", "K5 K6 K7 K8", "G5 G6 G7 G8"
    )

    hand = hand_of(view_for(full, 0))

    assert [(card.label, card.rise) for card in hand.cards] == [
        ("red 9, trump", "trump"),
        ("black 4", ""),
        ("blue 1, super trump", "super"),
        ("blue 5", ""),
    ]


def test_identical_cards_have_keys_of_their_own() -> None:
    hand = Game(english(3), deal_of(english(3).ruleset, "R0 R0 R0")).page(0).cards.hand

    assert [card.key for card in hand.cards][:3] == ["red-0-0", "red-0-1", "red-0-2"]
    assert len({card.key for card in hand.cards}) == 16


def test_chosen_cards_have_left_the_hand_that_is_shown() -> None:
    game = Game(italian()).settle("0 discard_2 red blue 3", "team 1")
    gone = game.ledger.replay.full.hands[0][:2]
    game.add(Discard(gone), 0)

    page = game.page(0)

    assert len(page.cards.hand.cards) == 8
    assert [card.code for card in page.cards.chosen] == [str(card) for card in gone]
    assert not page.cards.hand.may_tap
    assert page.turn.headline == "Waiting for {}, {} and {}".format(*map(words.apart, ("Ben", "Cleo", "Dan")))


def test_while_all_choose_a_spectator_reads_no_list_of_names() -> None:
    game = Game(italian()).settle("0 discard_2 red blue 3", "team 1")

    assert game.page(None).turn.headline == "Waiting for everybody"


def test_received_cards_are_marked_until_the_first_trick_is_complete() -> None:
    game = Game(english(4)).settle("0 pass_2_right red blue 3", "team 1").act(4)

    page = game.page(1)

    given, got = page.cards.exchange
    assert given.startswith("You passed Ana ")
    assert got.startswith("Cleo passed you ")
    received = [card.card.name for card in page.cards.hand.cards if card.is_new]
    assert all(name in got for name in received)
    assert sum(card.is_new for card in page.cards.hand.cards) == 2
    later = game.act(4).page(1)
    assert not any(card.is_new for card in later.cards.hand.cards)


def test_what_was_passed_is_said_until_the_reader_plays_a_card() -> None:
    game = Game(english(4)).settle("0 pass_2_right red blue 3", "team 1").act(4)
    (leader,) = game.state.acting_seats

    for played in range(4):
        said = [bool(game.page((leader + step) % 4).cards.exchange) for step in range(4)]
        assert said == [step >= played for step in range(4)]
        assert not game.page(None).cards.exchange
        game.act()

    assert not any(game.page(seat).cards.exchange for seat in range(4))


def test_what_was_passed_is_announced_once_to_those_who_have_it() -> None:
    game = Game(english(4)).settle("0 pass_2_right red blue 3", "team 1").act(4)

    for seat in range(4):
        assert all(sentence in game.page(seat).announcement for sentence in game.page(seat).cards.exchange)
    assert "passed you" not in game.page(None).announcement
    game.act()
    assert not any("passed you" in game.page(seat).announcement for seat in range(4))


# --- whose turn ---


def test_the_panel_says_what_is_to_be_done() -> None:
    game = Game(dutch(3))

    mine, theirs = game.page(1).turn, game.page(0).turn

    assert (mine.headline, mine.detail) == ("Your turn: cover", "")
    assert cut_names(theirs.headline) == "<bdi>Ben</bdi> covers"
    assert (theirs.headline, theirs.detail) == (f"{words.apart('Ben')} covers", "")
    teams = Game(italian()).settle("0 njet red blue 3")
    assert teams.page(0).turn.headline == "Your turn: pick your team"
    left = game.state.markers_left
    assert [seat.facts.left for seat in game.page(2).seats] == [f"{count} markers left" for count in left]


def test_the_panel_names_the_led_suit_and_the_trick() -> None:
    game = tricks()
    assert game.page(0).turn.detail == "you lead: any card"
    assert game.page(0).tricks.number == "trick 1 of 10"
    assert game.page(1).turn.headline == f"{words.apart('Ana')} leads"

    led = game.act().state.current.table[0]

    assert game.page(1).turn.detail == f"follow {led.suit.value}"
    assert game.page(2).turn.headline == f"{words.apart('Ben')} plays"
    assert game.page(2).turn.detail == f"{led.suit.value} was led"


@pytest.mark.parametrize(
    ("discard", "headline"),
    [
        ("discard_1", "Discard 1 card"),
        ("discard_2", "Discard 2 cards"),
        ("discard_2_no_zero", "Discard 2 cards, no 0"),
        ("pass_2_right", f"Pass 2 to your opponent {words.apart('Ben')}"),
    ],
)
def test_anyone_who_chooses_is_shown_how_many(discard: str, headline: str) -> None:
    page = Game(english(4)).settle(f"0 {discard} red blue 3", "team 1").page(2)

    assert page.turn.headline == headline
    assert page.turn.is_mine
    assert page.cards.hand.needed == (1 if discard == "discard_1" else 2)


@pytest.mark.parametrize(("players", "team"), [(3, "team 1 monster 2"), (4, "team 1"), (5, "team 1 monster 1")])
def test_a_discard_moves_no_card_of_another_suit(players: int, team: str) -> None:
    setup = english(players)
    game = Game(setup).settle("0 discard_2 red blue 3", team)
    before = game.page(0).cards.hand
    gone = game.ledger.replay.full.hands[0][:2]

    game.add(Discard(gone), 0).act(players - 1)

    after = game.page(0).cards.hand
    assert after.does == "play"
    assert (after.slots.upper, after.slots.count) == (before.slots.upper, before.slots.count)
    suits = {card.suit.value for card in gone}
    stood = {card.key: card.slot for card in before.cards}
    stayed = [card for card in after.cards if card.card.suit not in suits]
    assert stayed
    assert all(stood[card.key] == card.slot for card in stayed)


def test_each_turn_of_a_seat_has_a_key_of_its_own() -> None:
    game = tricks()
    first = game.page(0).reader.due
    assert first
    assert game.act().page(0).reader.due == ""
    while game.state.acting_seats != (0,):
        game.act()

    assert game.page(0).reader.due not in ("", first)


def test_a_bot_is_nobodys_turn() -> None:
    game = tricks()
    game.ledger = game.ledger.with_entries([SeatEntry(game.ledger.version + 1, 0, "easy")])

    page = game.page(0)

    assert page.reader.bot_plays
    assert page.reader.due == ""
    assert page.cards.hand is None
    assert not page.asking.may_claim
    assert page.asking.takeback is None


# --- what happened ---


def test_an_event_is_announced_with_whose_turn_it_is() -> None:
    assert Game(dutch(3)).page(1).announcement == "The cards are dealt. Your turn."
    game = tricks().act(4)
    trick = game.state.current.tricks[0]
    card, name = trick.cards[-1], game.setup.names[trick.winner]
    played = f"Dan played {card.suit.value} {card.rank}. {name} wins the trick and captures 1 one."

    assert game.page((trick.winner + 1) % 4).announcement == f"{played} {name} leads."
    assert game.page(trick.winner).announcement == f"{played} Your turn: any card may be played."


def test_each_trick_is_announced_with_what_it_captured_also_the_last_of_a_round() -> None:
    game, captured = tricks(), 0
    while not game.state.finished:
        before = game.state.current.tricks
        game.act()
        of = game.state.finished[-1] if game.state.finished else game.state.current
        if len(of.tricks) > len(before):
            trick = of.tricks[-1]
            sentence = words.trick_taken(game.setup.names[trick.winner], trick.captured, game.setup.ruleset)
            over = " Round 1 is over." if game.state.finished else ""
            assert f". {sentence}{over}" in game.page(0).announcement
            captured += trick.captured
    assert captured


@pytest.mark.slow
def test_only_whose_turn_it_is_hears_what_their_hand_has_to_play() -> None:
    game, duties = tricks(setup=french()), set()
    while not game.state.finished:
        (seat,) = game.state.acting_seats
        hand, plays = game.page(seat).cards.hand, "leads" if not game.state.current.table else "plays"
        duties.add(hand.duty and hand.duty.split()[0])
        said = f"Your turn: {hand.duty or 'any card may be played'}."
        assert game.page(seat).announcement.endswith(said)
        # A title stays in the history of a browser: it says nothing of a hand.
        assert game.page(seat).title == "Your turn"
        for other in {None, *range(4)} - {seat}:
            assert game.page(other).announcement.endswith(f" {game.setup.names[seat]} {plays}.")
        game.act()
    assert duties == {"", "follow", "play"}


def test_a_player_whose_seat_a_bot_plays_hears_no_duty() -> None:
    game = tricks().act()
    (seat,) = game.state.acting_seats
    game.ledger = game.ledger.with_entries([SeatEntry(game.ledger.version + 1, seat, "easy")])

    assert game.page(seat).announcement.endswith(f" {game.setup.names[seat]} plays.")


def test_every_event_changes_the_announcement() -> None:
    game, said = Game(italian(rounds=1)), [""]
    while game.state.current is not None:
        seen = game.page(0).announcement
        assert seen != said[-1]
        said.append(seen)
        game.act()

    assert game.page(0).announcement.endswith(("wins.", "share the victory."))


def test_the_end_of_a_round_is_announced() -> None:
    game = Game(dutch(3, rounds=2))
    while not game.state.finished:
        game.act()
    game.add(dealt_by_chance(game.setup.ruleset, Random(8)))

    assert "Round 1 is over." in game.page(0).announcement


# --- rounds ---


def test_the_result_stays_before_a_reader_who_has_not_gone_on() -> None:
    game = Game(dutch(3, rounds=2))
    while not game.state.finished:
        game.act()
    game.add(dealt_by_chance(game.setup.ruleset, Random(8)))

    assert game.page(0).view == "result"
    result = game.page(0, reads=1)
    assert (result.view, result.title) == ("result", "The result of round 1")
    assert {line.total for line in result.standings} == {"0"}, "as long as the last trick is held"
    assert [line.total for line in result.result.standings] == [line.total for line in game.page(0, reads=2).standings]
    # The ground of the reader's own team, also where the other one has scored more.
    assert [team.is_marked for team in result.result.round.teams] == [True, False]
    assert all(game.page(seat, reads=1).result.round.teams[0].is_marked for seat in range(3))
    assert game.page(0, reads=2).view == "board"
    game.act()
    assert game.page(0).view == "board"
    assert game.page(0, reads=1).view == "result"
    assert game.page(0).reader.result_of == 1


def test_the_result_begins_with_the_readers_own_team() -> None:
    game = tricks()
    while not game.state.finished:
        game.act()
    teams = game.state.finished[0].teams

    for seat in range(4):
        first, second = game.page(seat).result.round.teams
        assert {player.seat for player, _line, _words in first.members} == set(teams.team_of(seat))
        assert len(second.members) == 2
    first, _second = game.page(None).result.round.teams
    assert {player.seat for player, _line, _words in first.members} == set(teams.own)


def test_beside_the_table_stands_who_covered_what_and_later_who_won_which_trick() -> None:
    game = Game(italian())
    assert game.page(0).tricks.log == []

    placed = [game.state.acting_seats[0], game.act().state.acting_seats[0]]
    log = game.act().page(2).tricks.log

    assert [line.player.seat for line in log] == placed[::-1]
    assert all("covered" in line.sentence and line.card is None for line in log)


def test_beside_the_table_stands_why_and_with_which_card_each_trick_was_won() -> None:
    game = tricks().act(8)

    page = game.page(2)

    assert page.tricks.log[0].sentence == page.cards.last_trick.sentence
    cards = [trick.cards[(trick.winner - trick.leader) % 4] for trick in game.state.current.tricks]
    assert [line.card.code for line in page.tricks.log] == [str(card) for card in reversed(cards)]


def test_the_start_player_who_has_chosen_partners_reads_what_the_monster_does() -> None:
    game = Game(english(5)).settle("0 njet red blue 3")

    before = game.page(0).turn.detail
    chosen = next(each.choice for each in game.page(0).teams.candidates if each.choice.needs_monster)

    assert before == "you start: pick your partners"
    assert game.page(0, partners=chosen.value).turn.detail == "the monster doubles what its holder wins"


# --- asking ---


def test_one_may_ask_to_take_back_ones_own_latest_action() -> None:
    game = tricks()
    before = game.ledger.version
    card = game.act().state.current.table[0]

    offer = game.page(0).asking.takeback

    assert (offer.text, offer.to_seq) == (f"Ask to take back my {card.suit.value} {card.rank}", before)
    assert game.page(1).asking.takeback is None, "another player has named the teams since"


def test_what_people_did_since_is_asked_for_in_the_menu_only() -> None:
    game = tricks().act()
    card, before = game.state.current.table[0], game.ledger.version - 1
    game.act(2)

    assert game.page(0).asking.takeback is None
    seen = game.ledger.seen_by(0)
    offer = takeback_offer(Seen.of(seen), of_others=True)
    text = f"Ask to take back my {card.suit.value} {card.rank} and 2 later moves"
    assert offer == TakebackOffer(text, before)


def with_bots(game: Game, *seats: int) -> Game:
    for seat in seats:
        game.ledger = game.ledger.with_entries([SeatEntry(game.ledger.version + 1, seat, "easy")])
    return game


def test_what_bots_did_since_is_taken_back_with_it() -> None:
    game = Game(english(4))
    first = game.state.acting_seats[0]
    with_bots(game, *({0, 1, 2, 3} - {first})).act(2)

    assert game.page(first).asking.takeback.text.endswith(" and 1 later move")


@pytest.mark.parametrize(
    ("bots", "offered"), [((), True), ((1, 2, 3), False), ((2, 3), False), ((1, 3), True), ((1, 2), True)]
)
def test_what_a_bot_would_refuse_is_not_offered_and_it_is_said_why(bots: tuple[int, ...], offered: bool) -> None:
    """The sides are 0 and 1 against 2 and 3."""
    game = with_bots(tricks(), *bots).act()
    asking, before = game.page(0).asking, game.ledger.version - 1

    assert (asking.takeback is not None) == offered
    refused = TakebackOffer("Bots do not let a card be taken back that others have seen.", before)
    assert asking.no_takeback == (None if offered else refused)


def test_a_card_can_be_asked_back_with_those_that_bots_have_played_since() -> None:
    game = with_bots(tricks(), 1, 2).act()
    card, before = game.state.current.table[0], game.ledger.version - 1

    offer = game.act(2).page(0).asking.takeback

    assert offer == TakebackOffer(f"Ask to take back my {card.suit.value} {card.rank} and 2 later moves", before)


@pytest.mark.parametrize(
    ("bot", "proposal", "sentence"),
    [
        (None, Takeback((1,)), "Ben does not agree."),
        ("easy", Takeback((1,)), "Ben does not agree: a card has been seen since."),
        (
            "easy",
            ClaimRest(in_order("R9")),
            "Ben does not agree: blue 1, which nobody has played yet, would beat red 9.",
        ),
        # Only another card of the same kind would win.
        ("easy", ClaimRest(in_order("B1")), "Ben does not agree: these tricks are not certain."),
    ],
)
def test_who_asked_reads_why_a_bot_refused(bot: str | None, proposal: Proposal, sentence: str) -> None:
    game = tricks().act()
    if bot is not None:
        with_bots(game, 1)
    seq = game.ledger.version + 1
    game.ledger = game.ledger.with_entries([ProposalEntry(seq, 0, proposal)])
    game.ledger = game.ledger.with_entries([AnswerEntry(seq + 1, 1, seq, agrees=False)])

    assert game.page(0).asking.refused.text == sentence
    assert game.page(1).asking.refused is None
    # The others had something to answer only if a person has refused.
    assert (game.page(2).asking.refused is None) == (bot is not None)


@pytest.mark.parametrize(
    ("conditions", "text"),
    [
        ("0 discard_2 red blue 3", "Ask to take back my discard"),
        ("0 pass_2_right red blue 3", "Ask to take back my pass"),
    ],
)
def test_a_choice_of_cards_is_named_without_the_cards(conditions: str, text: str) -> None:
    game = tricks(conditions, setup=english(4)).act()

    seat = next(seat for seat in range(4) if game.page(seat).asking.takeback)
    assert game.page(seat).asking.takeback.text == text


def test_who_has_asked_is_not_offered_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_module, "can_claim", lambda view: True)
    game = tricks().act()
    seq = game.ledger.version
    hand = game.ledger.replay.full.hands[0]
    game.ledger = game.ledger.with_entries(
        [ProposalEntry(seq + 1, 0, Takeback((seq,))), ProposalEntry(seq + 2, 0, ClaimRest(hand))]
    )

    mine, other = game.page(0), game.page(1)

    assert mine.asking.takeback is None
    assert not mine.asking.may_claim
    assert other.asking.may_claim
    assert [asked.is_mine for asked in mine.asking.proposals] == [True, True]
    assert [asked.may_answer for asked in other.asking.proposals] == [True, True]
    assert [asked.may_answer for asked in game.page(None).asking.proposals] == [False, False]
    assert [card.code for card in other.asking.proposals[1].cards] == [str(card) for card in hand]
    assert other.asking.proposals[0].waiting == "Still to answer: Ben, Cleo and Dan"


# --- around the table ---


def test_partners_and_opponents_are_distinguished_from_where_one_sits() -> None:
    page = tricks().page(0)

    seen = {seat.player.name: (seat.is_ours, seat.tag) for seat in others(page)}
    assert seen == {"Ben": (True, "partner"), "Cleo": (False, ""), "Dan": (False, "")}
    assert "opponent" in others(page)[1].words


def test_a_spectator_reads_the_teams_by_number() -> None:
    assert [seat.tag for seat in tricks().page(None).seats] == ["team 1", "team 1", "team 2", "team 2"]


def test_the_others_sit_clockwise_from_the_left_neighbour() -> None:
    assert [seat.player.name for seat in others(tricks().page(2))] == ["Dan", "Ana", "Ben"]


def test_tricks_and_captures_stand_as_on_the_pad() -> None:
    game = tricks(setup=french()).act(16)
    won = game.state.current.won(4)

    for seat in game.page(0).seats:
        taken, captured = won[seat.player.seat].tricks, won[seat.player.seat].captured
        assert seat.facts.figures == (f"{taken}+{captured}" if captured else str(taken))


# --- the cover ---


def test_the_cover_asks_for_anyone_who_is_due_and_shows_no_hand() -> None:
    game = Game(dutch(3))

    cover = cover_page(game.ledger.seen_by(None), [0, 1, 2])

    assert cover.announcement == "Pass the phone to Ben"
    assert [player.name for player in (*cover.to, *cover.others)] == ["Ben", "Ana", "Cleo"]
    assert cover_page(game.ledger.seen_by(None), [0, 2]).announcement == "Nobody on this phone has a turn now."


@pytest.mark.parametrize("own", [[0, 1, 2], [0, 2]])
def test_the_seats_under_the_cover_are_where_the_next_player_sees_them(own: list[int]) -> None:
    game = Game(dutch(3))
    ledger = game.ledger.seen_by(None)
    cover = cover_page(ledger, own)

    covered = digital_page(ledger, side=cover.side)

    shown = game.page((cover.to or cover.others)[0].seat)
    assert [(seat.player.seat, seat.at) for seat in covered.seats] == [(s.player.seat, s.at) for s in shown.seats]
    assert covered.cards.hand is None


# --- refusals ---


def test_the_cards_that_a_refusal_names_are_pointed_at() -> None:
    game = tricks()
    code = str(game.ledger.replay.full.hands[0][3])

    page = game.page(0, shown=[code])

    assert {card.card.code for card in page.cards.hand.cards if card.is_allowed} == {code}
