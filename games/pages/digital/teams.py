"""The question who plays with whom: for the player who answers it, and for the others."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.pages.digital.seen import Seen
from games.pages.parts.board import SpaceView
from games.pages.parts.players import Player
from games.pages.parts.round import RoundView
from games.pages.parts.teams import PartnerChoice, TeamsView
from games.rules import Action, NameTeam, PublicState
from games.rules.scoring import signed
from games.texts import words
from games.texts.entries import describe_step


@dataclass(frozen=True)
class Candidate:
    """A choice of partners with what is known of them.

    `button`: what choosing them says; `totals`: each with their points and place, empty in the first round; `partners`:
    each with their points alone; `covered`: what that partner has covered, each space with its row; `is_shown`: they
    are the choice of a hint.
    """

    choice: PartnerChoice
    button: str
    totals: str
    partners: list[tuple[Player, str]]
    covered: list[tuple[str, SpaceView]]
    is_shown: bool


@dataclass(frozen=True)
class TeamsAsked:
    """The question who plays with whom while the reader answers it, and whom they may name as partners.

    `named`: who plays with whom, for the others until the next action; `hinted`: who is to hold the monster by a hint,
    while the reader is asked that of the partners of the hint.
    """

    question: TeamsView | None
    candidates: list[Candidate]
    named: str
    hinted: int | None

    @property
    def has_pairs(self) -> bool:
        """Whether two partners together may be named."""
        return any(len(candidate.choice.partners) > 1 for candidate in self.candidates)

    @property
    def asks_monster(self) -> bool:
        """Whether the reader is asked who holds the monster."""
        return self.question is not None and self.question.asks_monster


def teams_asked(seen: Seen, question: TeamsView | None, round: RoundView) -> TeamsAsked:
    """The question on the page, None while the reader is not asked."""
    hinted = None if seen.hint is None else seen.hint.action
    candidates = [] if question is None else _candidates(seen.state, question, round, hinted)
    return TeamsAsked(question, candidates, _named(seen), _holder(question, hinted))


def _holder(question: TeamsView | None, hinted: Action | None) -> int | None:
    chosen = None if question is None or not question.asks_monster else question.chosen
    if chosen is None or not isinstance(hinted, NameTeam):
        return None
    return hinted.monster if {each.seat for each in chosen.partners} == {*hinted.partners} else None


def _candidates(state: PublicState, question: TeamsView, round: RoundView, hinted: Action | None) -> list[Candidate]:
    hint = {*hinted.partners} if isinstance(hinted, NameTeam) else None
    return [
        Candidate(
            choice=choice,
            button=_("Play with {names}").format(names=words.listing([each.name for each in choice.partners]))
            if choice.partners
            else _("Play alone"),
            totals=words.listing(
                [
                    _("{total}, place {rank}").format(total=total, rank=state.ranks[partner.seat])
                    for partner, total in partners
                    if total
                ]
            ),
            partners=partners,
            covered=[(row.key, space) for row in round.rows for space in row.spaces if [space.by] == choice.partners],
            is_shown={each.seat for each in choice.partners} == hint,
        )
        for choice in question.choices
        for partners in [_with_points(state, choice)]
    ]


def _with_points(state: PublicState, choice: PartnerChoice) -> list[tuple[Player, str]]:
    """Partners with their points, which are empty in the first round."""
    return [(partner, signed(state.totals[partner.seat]) if state.finished else "") for partner in choice.partners]


def _named(seen: Seen) -> str:
    """Who plays with whom, until the next action is recorded; empty for the one who said it."""
    last = next(reversed(seen.ledger.replay.applied), None)
    if last is None or not isinstance(last.action, NameTeam) or last.seat == seen.seat:
        return ""
    return describe_step(last, seen.state.setup)
