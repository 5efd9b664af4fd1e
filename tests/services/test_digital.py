"""Digital games: what is dealt, played, asked and answered, and who sits where."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from django.contrib.sessions.backends.db import SessionStore

from games.errors import (
    BotPlays,
    ConfirmedForGood,
    DealsNotOurs,
    FinishedForGood,
    NotAsked,
    NotFound,
    RequestIdReused,
    SeatOnly,
    StaleVersion,
    TableOnlyOperation,
    UndoNotAllowed,
    UnknownProposal,
)
from games.formats.document import document, read_document
from games.keys import invitations, registry, sessions
from games.log import store
from games.models import GroupRole, Invite, Key, LogEntry, Lost, Role
from games.rules import PRESETS, Card, Deal, Discard, Finish, NameTeam, Phase, Play, PublicState, RecordTally, UndoEntry
from games.rules.actions import Claim, Hidden
from games.rules.dealing import Form, commitment_of, form_of, hands_of
from games.rules.errors import (
    AlreadyChosen,
    CardsHidden,
    GameOver,
    NothingToFinish,
    NotYourTurn,
    OnlyByConsent,
    OnlyChanceDeals,
    StartNotFree,
    TableOnly,
    WrongPhase,
)
from games.rules.proposals import ClaimRest
from games.rules.replay import HolderChange, HolderEntry, ProposalEntry
from games.services import creation, digital, groups, seating, tables
from games.services.write import WriteRequest
from tests.builders import CAST, dutch, english, setup_of
from tests.cast.digital import DigitalTable, cards_on_table, in_phase, leaving, over, rounds_finished
from tests.cast.groups import new_group

pytestmark = pytest.mark.django_db


def kinds(phones: DigitalTable) -> list[str]:
    return list(LogEntry.objects.filter(game=phones.id).order_by("seq").values_list("kind", flat=True))


# --- dealing and playing ---


def test_a_digital_game_is_dealt_at_once() -> None:
    phones = DigitalTable()

    assert kinds(phones) == ["deal"]
    assert phones.state.phase is Phase.PLACING
    assert [len(phones.view(seat).hand) for seat in range(3)] == [12, 12, 12]


def test_the_deal_can_be_checked_by_its_seed_which_no_one_sees_before_the_end() -> None:
    phones = DigitalTable(dutch(3, rounds=1))
    deal = phones.ledger.entry(1).action
    seen = [phones.seen(seat).entry(1).action for seat in (None, 0, 1, 2)]
    phones.play_on(over)

    assert commitment_of(deal.seed, game_id=phones.id, round_number=1) == deal.commitment
    assert hands_of(phones.state.ruleset, deal.seed) == deal.hands
    assert [(each.seed, each.commitment) for each in seen] == [(None, deal.commitment)] * 4
    assert phones.seen(None).entry(1).action == deal


@pytest.mark.parametrize(
    "preset", [pytest.param(each, marks=() if each == "goldsieber-dutch" else pytest.mark.slow) for each in PRESETS]
)
@pytest.mark.any_database
def test_a_game_of_every_preset_is_played_to_its_end(preset: str) -> None:
    chance = random.Random(preset)
    for players in PRESETS[preset].player_counts:
        phones = DigitalTable(setup_of(preset, players, rounds=1))

        phones.play_on(over, lambda view: chance.choice(view.legal))

        assert phones.game.status == "finished"
        assert store.refold(phones.game) == phones.ledger
        assert len(phones.state.finished) == 1


def test_the_last_card_of_a_round_and_the_next_deal_are_one_step() -> None:
    phones = DigitalTable().play_on(rounds_finished(1))

    assert kinds(phones)[-2:] == ["play", "deal"]
    assert phones.state.current.number == 2


def test_who_is_not_due_is_refused() -> None:
    phones = DigitalTable()
    due = phones.state.acting_seats[0]

    with pytest.raises(NotYourTurn):
        phones.act((due + 1) % 3, phones.view(due).legal[0])


@pytest.mark.parametrize("holder", ["host", "viewer"])
def test_only_the_holder_of_a_seat_plays(holder: str) -> None:
    phones = DigitalTable()
    key, action = getattr(phones, holder), phones.view(phones.state.acting_seats[0]).legal[0]

    with pytest.raises(SeatOnly):
        tables.record_action(game_id=phones.id, actor=key, action=action, request=WriteRequest())
    with pytest.raises(SeatOnly):
        tables.undo(game_id=phones.id, actor=key, request=WriteRequest())


@pytest.mark.parametrize(
    ("action", "error"),
    [
        (Deal(((), (), ())), OnlyChanceDeals),
        (Claim(0, 0), OnlyByConsent),
        (RecordTally((12, 0, 0), (0, 0, 0)), TableOnly),
        (Discard((Card.parse("red-1"),)), WrongPhase),
        (Play(Card.parse("red-1")), WrongPhase),
    ],
)
def test_what_chance_consent_or_a_real_table_does_no_one_plays(action: object, error: type[Exception]) -> None:
    phones = DigitalTable()

    with pytest.raises(error):
        phones.act(phones.state.acting_seats[0], action)
    assert kinds(phones) == ["deal"]


def test_cards_cannot_be_put_down_hidden() -> None:
    phones = DigitalTable().play_on(in_phase(Phase.DISCARDING), leaving("discard:discard_2"))

    with pytest.raises(CardsHidden):
        phones.act(0, Discard(Hidden(2)))


def test_corrections_belong_to_real_tables() -> None:
    phones = DigitalTable()

    with pytest.raises(TableOnlyOperation):
        tables.amend(game_id=phones.id, actor=phones.host, request=WriteRequest(), changes=[])
    with pytest.raises(TableOnlyOperation):
        tables.correct_setup(game_id=phones.id, actor=phones.host, request=WriteRequest(), dealer=1)


# --- choosing at once ---


def test_choices_lie_face_down_until_everybody_has_chosen() -> None:
    phones = DigitalTable().play_on(in_phase(Phase.DISCARDING), leaving("discard:discard_2"))
    hand = phones.view(1).hand

    phones.act(1, phones.view(1).legal[0])

    assert phones.view(1).hand == hand
    assert phones.view(1).chosen == phones.view(1).hand[:2]
    assert phones.state.acting_seats == (0, 2)
    assert phones.seen(0).entries[-1].action == Discard(Hidden(2))
    assert phones.seen(1).entries[-1].action == Discard(hand[:2])
    with pytest.raises(AlreadyChosen):
        phones.act(1, phones.view(0).legal[0])


def test_while_everybody_chooses_any_version_since_that_began_is_good_enough() -> None:
    phones = DigitalTable().play_on(in_phase(Phase.DISCARDING), leaving("discard:discard_1"))
    opened = phones.game.version
    choices = {seat: phones.view(seat).legal[0] for seat in range(3)}

    phones.act(2, choices[2], WriteRequest(version=opened))
    phones.act(0, choices[0], WriteRequest(version=opened))
    with pytest.raises(StaleVersion):
        phones.act(1, choices[1], WriteRequest(version=opened - 1))
    phones.act(1, choices[1], WriteRequest(version=opened))

    assert phones.state.phase is Phase.TRICKS
    with pytest.raises(StaleVersion):
        phones.act(
            phones.state.acting_seats[0], phones.view(phones.state.acting_seats[0]).legal[0], WriteRequest(opened)
        )


def test_passed_cards_go_to_the_right_neighbour_who_sees_them_after_choosing() -> None:
    phones = DigitalTable(english(3, rounds=1)).play_on(in_phase(Phase.PASSING), leaving("discard:pass_2_right"))
    given = {seat: phones.view(seat).legal[-1].cards for seat in range(3)}
    hands = [phones.view(seat).hand for seat in range(3)]

    phones.act(0, phones.view(0).legal[-1])
    phones.act(1, phones.view(1).legal[-1])
    assert [phones.view(seat).received for seat in range(3)] == [(), (), ()]
    assert phones.view(2).hand == hands[2]
    phones.act(2, phones.view(2).legal[-1])

    assert [phones.view(seat).received for seat in range(3)] == [given[1], given[2], given[0]]
    assert [phones.view(seat).passed for seat in range(3)] == [given[0], given[1], given[2]]


def test_a_repeated_request_is_answered_as_it_was() -> None:
    phones = DigitalTable()
    seat = phones.state.acting_seats[0]
    place, other = phones.view(seat).legal[:2]
    asked = WriteRequest(version=1, request_id="a", body={"x": 1})
    phones.act(seat, place, asked)

    again = phones.act(seat, place, asked)

    assert (again.repeated, again.version, phones.game.version) == (True, 2, 2)
    with pytest.raises(RequestIdReused):
        phones.act(seat, other, replace(asked, body={"x": 2}))


# --- asking the others ---


def test_a_card_is_taken_back_when_everybody_agrees() -> None:
    phones = DigitalTable(dutch(3)).play_on(cards_on_table(1))
    before, seat = phones.full, phones.state.current.leader
    hand = phones.view(seat).hand
    others = [each for each in range(3) if each != seat]

    phones.propose(seat, "takeback")
    phones.answer(others[0])
    assert len(phones.state.current.table) == 1
    phones.answer(others[1])

    assert phones.state.current.table == ()
    assert len(phones.view(seat).hand) == len(hand) + 1
    assert phones.ledger.counting.proposals == ()
    assert phones.full != before


def test_one_refusal_ends_a_request() -> None:
    phones = DigitalTable(dutch(3)).play_on(cards_on_table(1))
    seat = phones.state.current.leader

    phones.propose(seat, "takeback")
    phones.answer((seat + 1) % 3, agrees=False)

    assert phones.ledger.counting.proposals == ()
    assert len(phones.state.current.table) == 1
    with pytest.raises(UnknownProposal):
        phones.answer((seat + 2) % 3, about=phones.game.version - 1)


def test_two_requests_at_once_are_both_there() -> None:
    phones = DigitalTable(dutch(3)).play_on(cards_on_table(2))

    phones.propose(0, "takeback")
    phones.propose(1, "claim")

    assert [each.seat for each in phones.seen(2).counting.proposals] == [0, 1]


def test_anyone_who_asks_can_only_withdraw() -> None:
    phones = DigitalTable(dutch(3)).play_on(cards_on_table(1))
    phones.propose(0, "takeback")

    with pytest.raises(NotAsked):
        phones.answer(0)
    phones.answer(0, agrees=False)

    assert phones.ledger.counting.proposals == ()


def test_a_request_lapses_when_the_game_goes_on() -> None:
    phones = DigitalTable(dutch(3)).play_on(cards_on_table(1))
    phones.propose(0, "takeback")

    phones.step()

    assert phones.ledger.counting.proposals == ()


def test_nothing_is_taken_back_across_a_deal() -> None:
    phones = DigitalTable()
    with pytest.raises(UndoNotAllowed):
        phones.propose(0, "takeback")

    phones.play_on(rounds_finished(1))

    with pytest.raises(UndoNotAllowed):
        phones.propose(0, "takeback", to_seq=0)


def test_a_request_names_every_entry_that_it_takes_back() -> None:
    phones = DigitalTable(dutch(3)).play_on(cards_on_table(2))
    version = phones.game.version

    phones.propose(0, "takeback", to_seq=version - 2)
    for seat in (1, 2):
        phones.answer(seat)

    undone = [entry.undoes for entry in phones.ledger.entries if isinstance(entry, UndoEntry)]
    assert undone == [version, version - 1]


def test_bots_let_take_back_what_showed_them_no_card() -> None:
    phones = DigitalTable(bots={1: "easy", 2: "strong"})
    while phones.state.acting_seats != (0,):
        phones.step()
    phones.step()
    placed = phones.state.current.board.markers

    phones.propose(0, "takeback")

    assert phones.state.current.board.markers == placed - 1


def test_bots_refuse_to_forget_a_card_that_they_have_seen() -> None:
    phones = DigitalTable(bots={1: "easy", 2: "strong"}).play_on(lambda state: bool(state.current.table))
    while phones.state.acting_seats != (0,):
        phones.step()
    phones.step()
    cards = phones.state.current.hand_sizes

    phones.propose(0, "takeback")

    assert phones.state.current.hand_sizes == cards
    assert phones.ledger.counting.proposals == ()


def test_nor_does_a_bot_that_sits_down_while_it_is_asked() -> None:
    phones = DigitalTable(dutch(3)).play_on(cards_on_table(1))
    seat = phones.state.current.leader
    phones.propose(seat, "takeback")

    for other in {0, 1, 2} - {seat}:
        phones.put_bot(other, "easy")

    assert phones.ledger.counting.proposals == ()
    assert len(phones.state.current.table) == 1


def with_a_friend(friend: int) -> DigitalTable:
    """Seats 0 and 1 against 2 and 3, with a friend of seat 0 and two bots; all have played the first card."""
    bots = {seat: "easy" for seat in (1, 2, 3) if seat != friend}
    phones = DigitalTable(english(4), bots=bots)
    phones.play_on(in_phase(Phase.TEAMS), leaving("start:0", "discard:njet"))
    phones.act(0, NameTeam(partners=(1,), monster=None))
    return phones.play_on(cards_on_table(3))


def test_a_person_of_the_other_side_decides_for_the_bots_too_about_cards_that_were_seen() -> None:
    phones = with_a_friend(3)
    first = phones.game.version - 2

    phones.propose(0, "takeback", to_seq=first - 1)
    assert len(phones.state.current.table) == 3, "not before the friend has agreed"
    assert phones.asked == (3,)
    phones.answer(3)

    assert phones.state.current.table == ()


def test_bots_do_not_let_two_partners_look_at_their_cards_first() -> None:
    phones = with_a_friend(1)

    phones.propose(0, "takeback", to_seq=phones.game.version - 3)

    assert phones.ledger.counting.proposals == ()
    assert len(phones.state.current.table) == 3


def test_a_claim_shows_the_hand_and_takes_the_rest_when_all_agree() -> None:
    phones = DigitalTable(dutch(3)).play_on(cards_on_table(1))
    leader = phones.state.current.leader
    hand, others = phones.view(leader).hand, [each for each in range(3) if each != leader]
    captured = phones.full.rest_captured(leader)
    tricks = phones.state.tally_bounds.tricks

    phones.propose(leader, "claim")
    assert phones.seen(others[0]).counting.proposals[0].proposal == ClaimRest(hand)
    for seat in others:
        phones.answer(seat)

    done = phones.state.finished[0]
    assert (done.claimed, done.won[leader].tricks, done.won[leader].captured) == (leader, tricks, captured)
    assert phones.state.current.number == 2
    assert phones.state.phase is Phase.PLACING


def test_a_claim_needs_tricks_to_claim() -> None:
    with pytest.raises(WrongPhase):
        DigitalTable().propose(0, "claim")


def test_the_game_ends_early_only_when_all_agree_and_then_permanently() -> None:
    phones = DigitalTable(dutch(3, rounds=3))
    with pytest.raises(NothingToFinish):
        phones.act(0, Finish())
    phones.play_on(rounds_finished(1))
    hidden = phones.ledger.entries[-1].action

    phones.act(0, Finish())
    phones.step()
    phones.answer(1)
    assert phones.state.current is not None
    phones.answer(2)

    assert phones.state.current is None
    with pytest.raises(GameOver):
        phones.act(0, Finish())
    with pytest.raises(FinishedForGood):
        phones.propose(0, "takeback")
    with pytest.raises(FinishedForGood):
        tables.reopen(game_id=phones.id, actor=phones.host, request=WriteRequest())
    deals = [entry.action for entry in phones.seen(None).entries if isinstance(getattr(entry, "action", None), Deal)]
    assert deals[0].seed is not None
    assert deals[1] == Deal((Hidden(12),) * 3, None, hidden.commitment)


def test_agreement_to_finish_may_be_taken_back_and_does_not_outlast_the_round() -> None:
    phones = DigitalTable(dutch(3, rounds=3)).play_on(rounds_finished(1))
    phones.act(0, Finish())
    phones.answer(1)

    phones.answer(1, agrees=False)
    assert phones.ledger.counting.proposals == ()
    phones.act(0, Finish())
    phones.answer(1)
    phones.play_on(rounds_finished(2))

    assert phones.ledger.counting.proposals == ()
    assert phones.state.current is not None


def test_nothing_that_all_agree_to_stays_undone() -> None:
    phones = DigitalTable(dutch(3, rounds=3)).play_on(rounds_finished(1))
    phones.put_bot(2, "easy")
    phones.play_on(rounds_finished(2))
    phones.put_bot(2, None)
    while 2 in phones.state.acting_seats:
        phones.step()
    phones.step()
    phones.propose(0, "takeback")
    phones.answer(1)
    phones.act(1, Finish())
    phones.answer(0)

    phones.answer(2, about=phones.ledger.counting.proposals[0].seq)
    phones.answer(2)

    assert phones.state.current is None


def test_a_bot_that_has_just_sat_in_does_not_give_its_players_game_up() -> None:
    phones = DigitalTable(dutch(3, rounds=3)).play_on(rounds_finished(1))
    phones.act(0, Finish())

    phones.put_bot(1, "easy")
    phones.put_bot(2, "easy")
    assert phones.state.current is not None
    phones.play_on(rounds_finished(2))
    phones.act(0, Finish())

    assert phones.state.current is None


def test_a_hand_laid_open_in_a_round_that_was_not_finished_is_not_published() -> None:
    phones = DigitalTable(dutch(3, rounds=3)).play_on(rounds_finished(1)).play_on(cards_on_table(1))
    leader = phones.state.current.leader
    phones.propose(leader, "claim")
    phones.answer((leader + 1) % 3, agrees=False)
    phones.act(0, Finish())
    for seat in (1, 2):
        phones.answer(seat)

    laid_open = [entry.proposal for entry in phones.seen(None).entries if isinstance(entry, ProposalEntry)]
    assert ClaimRest(()) in laid_open


def test_discards_are_taken_back_without_a_bots_objection_but_not_passes_that_have_arrived() -> None:
    phones = DigitalTable(bots={1: "easy", 2: "easy"}).play_on(in_phase(Phase.DISCARDING), leaving("discard:discard_2"))
    phones.act(0, phones.view(0).legal[0])

    phones.propose(0, "takeback")

    assert 0 in phones.state.acting_seats
    passing = DigitalTable(english(3), bots={1: "easy", 2: "easy"}).play_on(
        in_phase(Phase.PASSING), leaving("discard:pass_2_right")
    )
    passing.play_on(in_phase(Phase.TRICKS, Phase.TEAMS))
    chosen = passing.game.version
    passing.propose(0, "takeback", to_seq=chosen - 1)
    assert passing.state.current.exchanged


def test_after_a_choice_was_taken_back_any_version_of_the_phase_is_still_good_enough() -> None:
    phones = DigitalTable().play_on(in_phase(Phase.DISCARDING), leaving("discard:discard_1"))
    opened = phones.game.version
    phones.act(0, phones.view(0).legal[0])
    phones.propose(0, "takeback")
    for seat in (1, 2):
        phones.answer(seat)

    phones.act(1, phones.view(1).legal[0], WriteRequest(version=opened))

    assert phones.state.acting_seats == (0, 2)


def test_without_the_start_row_the_first_placer_starts_for_no_one_could_be_asked() -> None:
    phones = DigitalTable(english(3, start_row=False)).play_on(in_phase(Phase.TEAMS), leaving("discard:njet"))
    start = phones.state.acting_seats[0]

    assert {action.start for action in phones.view(start).legal} == {None}
    with pytest.raises(StartNotFree):
        phones.act(start, NameTeam((), (start + 1) % 3, start=(start + 1) % 3))


# --- bots ---


def test_a_bot_acts_once_however_many_look() -> None:
    phones = DigitalTable(bots={0: "easy", 1: "easy", 2: "easy"})
    version, seat = phones.game.version, phones.state.acting_seats[0]
    action = phones.view(seat).legal[0]
    digital.act_for_bot(game_id=phones.id, seat=seat, version=version, action=action)

    with pytest.raises(StaleVersion):
        digital.act_for_bot(game_id=phones.id, seat=seat, version=version, action=action)


def test_a_bot_sits_in_for_somebody_and_gives_the_seat_back() -> None:
    phones = DigitalTable()
    seat = phones.state.acting_seats[0]
    phones.put_bot(seat, "strong")

    assert digital.bots_due(phones.ledger) == [(seat, "strong")]
    with pytest.raises(BotPlays):
        phones.act(seat, phones.view(seat).legal[0])
    phones.put_bot(seat, None)
    phones.act(seat, phones.view(seat).legal[0])

    assert phones.ledger.bots == (None, None, None)
    with pytest.raises(BotPlays):
        digital.act_for_bot(game_id=phones.id, seat=seat, version=phones.game.version, action=phones.view(seat).legal)


def test_a_bot_that_sits_in_answers_what_was_asked_before() -> None:
    phones = DigitalTable()
    seat = phones.state.acting_seats[0]
    others = [each for each in range(3) if each != seat]
    phones.step()
    phones.propose(seat, "takeback")
    phones.answer(others[0])

    phones.put_bot(others[1], "easy")

    assert phones.state.current.board.is_untouched


# --- seats ---


def test_a_seat_is_played_from_one_phone() -> None:
    phones = DigitalTable()
    invitation = invitations.invite(game=phones.game, role=Role.SEAT, seat=1, maker=phones.host).invite
    session = SessionStore()

    key = seating.claim(game_id=phones.id, seat=1, by=invitation, session=session, label="Ben’s other phone")

    old = Key.objects.get(pk=phones.keys[1].pk)
    assert (key.seat, old.lost, old.revoked_at is not None) == (1, Lost.CLAIMED, True)
    assert sessions.seats_of_session(session, phones.id) == {1: key}
    assert sessions.key_of_session(session, phones.id) == key
    assert phones.ledger.entries[-1] == HolderEntry(2, 1, HolderChange.CLAIMED)  # the table is to know


def test_the_old_phone_takes_the_seat_back() -> None:
    phones = DigitalTable()
    invitation = invitations.invite(game=phones.game, role=Role.SEAT, seat=1).invite
    old = SessionStore()
    sessions.remember_seat(old, phones.keys[1])
    seating.claim(game_id=phones.id, seat=1, by=invitation, session=SessionStore())

    (lost,) = sessions.lost_of_session(old, phones.id)
    key = seating.claim(game_id=phones.id, seat=1, by=lost, session=old)

    assert sessions.seats_of_session(old, phones.id) == {1: key}
    assert Key.objects.filter(game=phones.id, seat=1, revoked_at=None).count() == 1


def test_a_seat_that_was_just_freed_is_not_taken_back() -> None:
    phones = DigitalTable()
    lost = phones.keys[1]
    phones.move(1)
    phones.free(1)

    with pytest.raises(NotFound):
        phones.return_to(1, lost)
    assert phones.ledger.entries[-1] == HolderEntry(3, 1, HolderChange.FREED)


def test_a_reader_of_a_seat_reads_on_while_bots_come_and_go() -> None:
    phones = DigitalTable(english(3, rounds=1))
    for change in range(12):
        seat = change % 3
        phones.put_bot(seat, "easy" if phones.ledger.bots[seat] is None else None)
        phones.step(leaving("discard:discard_2"))
        phones.move((seat + 1) % 3)

        fresh = store.refold(phones.game)
        for viewer in (None, 0, 1, 2):
            assert phones.seen(viewer) == fresh.seen_by(viewer)


def test_an_invitation_ends_with_the_key_that_made_it() -> None:
    phones = DigitalTable()
    left_open = invitations.invite(game=phones.game, role=Role.SEAT, seat=1, maker=phones.keys[1]).invite
    invitation = invitations.invite(game=phones.game, role=Role.SEAT, seat=1, maker=phones.host).invite

    seating.claim(game_id=phones.id, seat=1, by=invitation, session=SessionStore())

    assert not Invite.objects.filter(pk=left_open.pk).exists()


def test_a_former_member_does_not_take_a_seat_back() -> None:
    group = new_group()
    phones = DigitalTable(group=group)
    member = registry.issue(group=group, role=GroupRole.MEMBER, label="Max", program=True)
    invitation = invitations.invite(game=phones.game, role=Role.SEAT, seat=1, maker=phones.host).invite
    session = SessionStore()
    registry.supersede(phones.game, 1)
    seating.claim(game_id=phones.id, seat=1, by=member, session=session)
    assert seating.claim(game_id=phones.id, seat=2, by=member, session=session) is None
    seating.claim(game_id=phones.id, seat=1, by=invitation, session=SessionStore())

    groups.revoke_key(group_id=group.pk, key_id=member.pk)

    assert [key.lost for key in sessions.lost_of_session(session, phones.id)] == [Lost.REVOKED]


def test_anyone_who_sat_in_a_game_follows_into_the_rematch() -> None:
    phones = DigitalTable(dutch(3, rounds=1)).play_on(over)
    new = creation.rematch(game=phones.game, ledger=phones.seen(None), creator_label="Ana", own_seats=[0]).game
    session = SessionStore()

    key = seating.claim(game_id=new.pk, seat=1, by=phones.keys[1], session=session)

    assert (key.game_id, key.seat) == (new.pk, 1)
    assert seating.claim(game_id=new.pk, seat=1, by=phones.keys[1], session=session) is None
    assert seating.claim(game_id=new.pk, seat=0, by=phones.keys[0], session=session) is None


def test_who_is_late_for_the_rematch_takes_the_seat_from_the_bot_that_fills_in() -> None:
    phones = DigitalTable(dutch(3, rounds=1)).play_on(over)
    new = creation.rematch(game=phones.game, ledger=phones.seen(None), creator_label="Ana", own_seats=[0])
    request = WriteRequest(version=store.read(new.game).version)
    digital.put_bot(game_id=new.game.pk, actor=new.creator, seat=1, level="easy", request=request)

    key = seating.claim(game_id=new.game.pk, seat=1, by=phones.keys[1], session=SessionStore())

    assert (key.game_id, key.seat) == (new.game.pk, 1)
    new.game.refresh_from_db()
    assert store.read(new.game).bots == (None, None, None)


def test_who_has_no_name_and_is_late_for_the_rematch_is_not_called_as_the_bot() -> None:
    setup = dutch(3, rounds=1)
    seats = (replace(seat, name=name) for seat, name in zip(setup.seats, ("Ana", "Player 2", "Cleo"), strict=True))
    phones = DigitalTable(replace(setup, seats=tuple(seats))).play_on(over)
    new = creation.rematch(game=phones.game, ledger=phones.seen(None), creator_label="Ana", own_seats=[0])
    request = WriteRequest(version=store.read(new.game).version)
    digital.put_bot(game_id=new.game.pk, actor=new.creator, seat=1, level="easy", request=request)

    seating.claim(game_id=new.game.pk, seat=1, by=phones.keys[1], session=SessionStore())

    new.game.refresh_from_db()
    assert store.read(new.game).current_setup.names == ("Ana", "Player 2", "Cleo")


# --- again ---


def test_the_same_deals_are_played_again() -> None:
    phones = DigitalTable(dutch(3, rounds=2), bots={2: "easy"}).play_on(over)

    again = creation.rematch(game=phones.game, ledger=phones.seen(None), creator_label="Ana", same_deals=True).game

    ledger = store.read(again)
    deal, earlier = (each.replay.applied[0].action for each in (ledger, phones.ledger))
    assert (deal.hands, deal.seed) == (earlier.hands, earlier.seed)
    assert form_of(deal.commitment, deal.seed, game_id=again.pk, round_number=1) is Form.NAMED
    assert ledger.bots == (None, None, "easy")
    assert ledger.setup == phones.ledger.setup


def test_the_deals_of_a_game_that_was_taken_in_are_not_played_again() -> None:
    phones = DigitalTable(dutch(3, rounds=1)).play_on(over)
    imported = creation.import_game(imported=read_document(document(phones.game)), creator_label="Ana").game

    with pytest.raises(DealsNotOurs):
        creation.rematch(game=imported, ledger=store.seen(imported, None), creator_label="Ana", same_deals=True)


def test_a_player_whom_a_bot_replaced_plays_the_rematch() -> None:
    phones = DigitalTable(dutch(3, rounds=1), bots={2: "easy"})
    phones.put_bot(1, "strong")
    phones.play_on(over)

    again = creation.rematch(game=phones.game, ledger=phones.seen(None), creator_label="Ana").game

    assert store.read(again).bots == (None, None, "easy")


def test_a_rematch_has_a_new_deal() -> None:
    phones = DigitalTable(dutch(3, rounds=1)).play_on(over)

    again = creation.rematch(game=phones.game, ledger=phones.seen(None), creator_label="Ana").game

    assert store.read(again).replay.full.hands != phones.ledger.replay.applied[0].action.hands
    assert store.read(again).setup.dealer == 1


def test_a_confirmed_game_stays_as_it_is() -> None:
    phones = DigitalTable(dutch(3, rounds=1)).play_on(over)
    tables.lock(game_id=phones.id, actor=phones.host, request=WriteRequest())

    with pytest.raises(ConfirmedForGood):
        tables.reopen(game_id=phones.id, actor=phones.host, request=WriteRequest())


# --- what the ledgers hold ---


def test_a_reader_gets_no_hidden_card() -> None:
    phones = DigitalTable(dutch(3)).play_on(cards_on_table(1))
    for viewer in (None, 0, 1, 2):
        seen = phones.seen(viewer)

        assert seen.replay.full is None
        assert all(step.full is None for step in seen.replay.applied)
        assert isinstance(seen.state, PublicState)
        assert seen.view.hand == (() if viewer is None else phones.full.hands[viewer])


def test_a_reader_who_reads_on_gets_what_a_fresh_reader_gets() -> None:
    phones = DigitalTable(english(4, rounds=1))
    for viewer in (None, 0, 1, 2, 3):
        phones.seen(viewer)

    for _ in range(40):
        phones.step(leaving("discard:discard_2"))
        fresh = store.refold(phones.game)
        for viewer in (None, 0, 1, 2, 3):
            assert phones.seen(viewer) == fresh.seen_by(viewer)


def test_names_and_bots_stand_in_the_log() -> None:
    phones = DigitalTable(bots={1: "easy"})

    assert kinds(phones) == ["seat", "deal"]
    assert phones.seen(None).bots == (None, "easy", None)
    assert phones.ledger.setup.names == CAST[:3]


def test_naming_teams_is_the_start_players() -> None:
    phones = DigitalTable(dutch(4)).play_on(in_phase(Phase.TEAMS), leaving("discard:njet"))
    start = phones.state.acting_seats[0]

    with pytest.raises(NotYourTurn):
        phones.act((start + 1) % 4, NameTeam(((start + 2) % 4,), None))
    phones.act(start, NameTeam(((start + 2) % 4,), None))

    assert phones.state.current.teams.own == tuple(sorted((start, (start + 2) % 4)))
