"""Two games with the same deals, compared round by round."""

from __future__ import annotations

import pytest

from games.pages.digital.same_deals import Comparison, compare
from games.rules import PublicState
from tests.builders import english, play

FIRST = ("open 0 njet black blue 2", "team 2", "tally 5+2 4+0 3+1 3+0")
SECOND = ("open 1 njet black blue 3", "team 0", "tally 4+0 6+1 2+0 3+0")
OTHER_FIRST = ("open 0 njet black blue 2", "team 1", "tally 5+2 4+0 3+1 3+0")

EARLIER = play(english(4, rounds=2), *FIRST, *SECOND)
LATER = play(english(4, rounds=2), *OTHER_FIRST, *SECOND)


def compared(later: PublicState, seat: int | None = 0, *, earlier: PublicState = EARLIER) -> Comparison | None:
    """The comparison for the reader in a seat, who had it in both games."""
    return compare(earlier, later, "earlier", seat, is_same=seat is not None)


def numbers(pairs: list[tuple[str, str]], game: int) -> list[int]:
    """The points of the earlier game (0) or of this one (1)."""
    return [int(pair[game].replace("−", "-")) for pair in pairs]


def test_each_round_has_the_points_of_both_games() -> None:
    shown = compared(LATER)

    assert [number for number, _pairs in shown.rounds] == [1, 2]
    for game, state in enumerate((EARLIER, LATER)):
        assert [numbers(pairs, game) for _number, pairs in shown.rounds] == [
            list(done.score.points) for done in state.finished
        ]
        assert numbers(shown.totals, game) == list(state.totals)
    assert [player.name for player in shown.players] == ["Ana", "Ben", "Cleo", "Dan"]


def test_the_sentence_is_true_for_each_player() -> None:
    for seat in range(4):
        more = LATER.totals[seat] - EARLIER.totals[seat]
        said = "as many points as" if more == 0 else f"{abs(more)} points {'more' if more > 0 else 'fewer'} than"

        assert compared(LATER, seat).sentence == f"With the same deals you scored {said} in the earlier game."
    assert LATER.totals != EARLIER.totals


def test_a_spectator_and_another_player_of_a_seat_read_a_name() -> None:
    shared = "scored as many points as in the earlier game."

    assert compared(EARLIER, None).sentence == f"With the same deals Ana {shared}"
    assert compare(EARLIER, EARLIER, "earlier", 1, is_same=False).sentence == f"With the same deals Ben {shared}"


def test_only_rounds_of_both_games_are_compared() -> None:
    short = play(english(4, rounds=2), *FIRST, "finish")

    for one, other in ((short, LATER), (LATER, short)):
        shown = compared(one, earlier=other)
        assert [number for number, _pairs in shown.rounds] == [1]
        assert shown.totals == shown.rounds[0][1]


@pytest.mark.parametrize("lines", [(), FIRST, (*FIRST, *SECOND[:2])])
def test_a_game_that_is_played_is_not_compared(lines: tuple[str, ...]) -> None:
    assert compared(play(english(4, rounds=2), *lines)) is None
