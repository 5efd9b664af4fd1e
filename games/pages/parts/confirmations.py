"""Which teams have confirmed a round, as pages show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.log.ledger import Ledger
from games.rules import FinishedRound
from games.rules.confirmations import confirmations, is_confirmed
from games.rules.replay import ConfirmEntry
from games.texts.entries import team_names


@dataclass(frozen=True)
class TeamConfirmation:
    """A team of a round, and whether it has confirmed it.

    `players`: who is in it, `seat`: one of them; `seq`: the entry that confirmed, 0 if none; `phone`: the phone on
    which it was confirmed; `is_lapsed`: the points that the team had confirmed were corrected.
    """

    names: str
    players: list[str]
    size: int
    seat: int
    seq: int
    is_confirmed: bool
    is_lapsed: bool
    phone: str


@dataclass(frozen=True)
class RoundConfirmations:
    """The teams of a round, the start player's first.  `is_complete`: both have confirmed it."""

    number: int
    teams: list[TeamConfirmation]
    is_complete: bool


def round_confirmations(
    ledger: Ledger, done: FinishedRound, confirms: Sequence[ConfirmEntry], phones: Mapping[int, str] | None = None
) -> RoundConfirmations:
    """Who has confirmed a round.  `phones`: the name of the phone that wrote an entry, by its number."""
    names, counting = ledger.current_setup.names, {each.team: each for each in confirmations(done, confirms)}
    return RoundConfirmations(
        number=done.number,
        teams=[
            TeamConfirmation(
                names=team_names(team, names),
                players=[names[seat] for seat in team],
                size=len(team),
                seat=team[0],
                seq=counting[team].seq if team in counting else 0,
                is_confirmed=team in counting,
                is_lapsed=team not in counting
                and any(
                    each.round_number == done.number and each.about is None and each.seat in team for each in confirms
                ),
                phone=(phones or {}).get(counting[team].seq, "") if team in counting else "",
            )
            for team in (done.teams.own, done.teams.other)
        ],
        is_complete=is_confirmed(done, confirms),
    )


def all_confirmations(
    ledger: Ledger, phones: Mapping[int, str], *, asks_confirmation: bool
) -> dict[int, RoundConfirmations]:
    """Who has confirmed each round, by its number: of every round if both teams are asked, else where any team has."""
    confirms = ledger.counting.confirms
    named = {each.round_number for each in confirms}
    return {
        done.number: round_confirmations(ledger, done, confirms, phones)
        for done in ledger.state.finished
        if asks_confirmation or done.number in named
    }
