"""RULES.md section 7: proposals in a digital game, who still has to answer, and what makes a proposal lapse."""

import pytest

from games.rules.actions import Claim, Deal, Finish, Hidden, NameTeam, Pass, Place
from games.rules.cards import Card
from games.rules.editions import RowKey
from games.rules.proposals import (
    ClaimRest,
    FinishEarly,
    OpenProposal,
    Takeback,
    after_action,
    after_undo,
    answered,
    proposed,
)

CLAIM = ClaimRest((Card.parse("red-7"),))
OPENED = (OpenProposal(4, 0, Takeback((3,))), OpenProposal(5, 1, FinishEarly(), (2,)), OpenProposal(6, 2, CLAIM))


def test_all_others_who_have_not_agreed_are_waited_for() -> None:
    assert OpenProposal(4, 1, FinishEarly()).waiting(4) == (0, 2, 3)
    assert OpenProposal(4, 1, FinishEarly(), (0, 3)).waiting(4) == (2,)
    assert OpenProposal(4, 1, FinishEarly(), (0, 2, 3)).waiting(4) == ()


def test_a_new_proposal_replaces_the_seats_own_one_of_the_same_kind_and_no_other() -> None:
    new = Takeback((2,))

    assert proposed(OPENED, 7, 0, new) == (*OPENED[1:], OpenProposal(7, 0, new))
    assert proposed(OPENED, 7, 1, new) == (*OPENED, OpenProposal(7, 1, new))
    assert proposed(OPENED, 7, 0, FinishEarly()) == (*OPENED, OpenProposal(7, 0, FinishEarly()))


def test_an_agreement_is_noted_at_the_proposal_that_it_answers() -> None:
    assert answered(OPENED, 5, 0, agrees=True) == (OPENED[0], OpenProposal(5, 1, FinishEarly(), (0, 2)), OPENED[2])
    assert answered(OPENED, 5, 2, agrees=True) == OPENED


def test_one_refusal_closes_the_proposal_that_it_answers() -> None:
    assert answered(OPENED, 5, 0, agrees=False) == (OPENED[0], OPENED[2])
    assert answered(OPENED, 9, 0, agrees=False) == OPENED


@pytest.mark.parametrize("action", [Finish(), Deal((Hidden(15), Hidden(15)))])
def test_the_end_of_the_game_and_a_deal_close_every_proposal(action: Finish | Deal) -> None:
    assert after_action(OPENED, action) == ()


@pytest.mark.parametrize("action", [Place(RowKey.TRUMP, "red"), NameTeam((1,), None), Pass(Hidden(2)), Claim(0, 1)])
def test_every_other_action_leaves_only_the_proposals_to_finish(action: Place | NameTeam | Pass | Claim) -> None:
    assert after_action(OPENED, action) == (OPENED[1],)


def test_an_undo_leaves_only_the_proposals_to_finish() -> None:
    assert after_undo(OPENED) == (OPENED[1],)
