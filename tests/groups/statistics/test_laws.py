"""What holds for the statistics of every game, tried on random ones."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.groups.statistics.facts import GameFacts
from games.groups.statistics.figures import IN_NAMED_TEAM, SETTLED_ROWS, added, of_group, of_pair, of_player, subtracted
from games.groups.statistics.ratings import Form, after, start
from games.groups.statistics.start_lead import START_LEAD
from games.groups.statistics.summary import GroupSummary, PairSummary, PlayerSummary
from games.rules import (
    EDITIONS,
    PRESETS,
    Action,
    ActionEntry,
    AddPenalty,
    EnterConditions,
    Place,
    RecordTally,
    RecordTrick,
    RowKey,
    VoidRound,
    replay,
)
from games.rules.replay import Step
from tests.groups.statistics import facts_of, facts_of_game, finished, finished_games, law, reseated
from tests.strategies import Game

# --- facts ---


def _steps(game: Game) -> tuple[Step, ...]:
    return replay(game.setup, [ActionEntry(seq, action) for seq, action in enumerate(game.actions, start=1)]).applied


@law
@given(finished())
def test_facts_come_back_from_json(facts: GameFacts) -> None:
    text = json.dumps(facts.to_json())

    assert GameFacts.from_json(json.loads(text)) == facts


@law
@given(finished_games())
def test_trick_by_trick_and_as_a_tally_a_game_leaves_the_same_facts(game: Game) -> None:
    tallied: list[Action] = []
    for step, following in zip(_steps(game), game.states[1:], strict=True):
        if not isinstance(step.action, RecordTrick):
            tallied.append(step.action)
        elif len(following.finished) > len(step.before.finished):
            won = following.finished[-1].won
            tallied.append(RecordTally(tuple(each.tricks for each in won), tuple(each.captured for each in won)))

    assert facts_of(game.setup, *tallied) == facts_of_game(game)


@law
@given(finished_games())
def test_by_quick_entry_a_game_leaves_the_same_facts_without_placements(game: Game) -> None:
    quick: list[Action] = []
    for step, following in zip(_steps(game), game.states[1:], strict=True):
        if not isinstance(step.action, Place):
            quick.append(step.action)
        elif following.current.board.is_settled:
            spaces = {row.key.value: row.settled_space for row in following.current.board.rows}
            quick.append(EnterConditions(**{"start": None, **spaces}))

    facts = facts_of_game(game)

    assert facts_of(game.setup, *quick) == replace(
        facts, rounds=tuple(replace(played, placements=()) for played in facts.rounds)
    )


@law
@given(finished_games(), st.data())
def test_a_voided_round_leaves_no_trace_wherever_it_was(game: Game, data: st.DataObject) -> None:
    starts = [place for place, state in enumerate(game.states) if state.current and state.current.board.is_untouched]
    begin = data.draw(st.sampled_from(starts))
    number = game.states[begin].current.number
    inside = [
        action
        for action, state in zip(game.actions[begin:], game.states[begin + 1 :], strict=True)
        if state.current is not None and state.current.number == number and not isinstance(action, AddPenalty)
    ]
    voided = inside[: data.draw(st.integers(0, len(inside)))]

    actions = [*game.actions[:begin], *voided, VoidRound("misdeal"), *game.actions[begin:]]

    assert facts_of(game.setup, *actions) == facts_of_game(game)


# --- figures ---


def _all_figures(facts: GameFacts) -> list[dict[str, int]]:
    seats = range(facts.players)
    return [
        of_group(facts),
        *(of_player(facts, seat) for seat in seats),
        *(of_pair(facts, *pair) for pair in combinations(seats, 2)),
    ]


@law
@given(st.lists(finished(), min_size=2, max_size=3), st.randoms(use_true_random=False))
def test_figures_add_up_in_any_order_and_can_be_taken_away(games: list[GameFacts], random) -> None:
    for count in (of_group, lambda facts: of_player(facts, 0), lambda facts: of_pair(facts, 0, 1)):
        parts = [count(facts) for facts in games]
        total: dict[str, int] = {}
        for part in parts:
            total = added(total, part)
        left = total
        random.shuffle(parts)
        other: dict[str, int] = {}
        for part in parts:
            other = added(other, part)
            left = subtracted(left, part)

        assert other == total
        assert left == {}
        assert all(total.values())
        assert subtracted(added(total, parts[0]), parts[0]) == total


@law
@given(finished())
def test_what_the_players_have_together_is_what_the_group_has(facts: GameFacts) -> None:
    group, players = Counter(of_group(facts)), Counter()
    for seat in range(facts.players):
        players.update(of_player(facts, seat))

    rounds = len(facts.rounds)
    assert group["rounds"] == rounds
    assert players["rounds"] == group["seats"] == rounds * facts.players
    assert players["games"] == facts.players
    assert players["wins"] == len(facts.winners)
    for name in ("points", "tricks", "captured"):
        assert players[name] == group[name]
    assert players["start.rounds"] == rounds
    assert players["start.won"] == group["start.won"]
    assert players["total"] == sum(facts.totals)
    assert (players["monster.rounds"], players["monster.points"]) == (group["monster.rounds"], group["monster.points"])
    assert players["monster.won"] == group["monster.won"]
    assert (players["minus2.rounds"], players["minus2.points"]) == (group["minus2.seats"], group["minus2.points"])
    assert players["start.rounds"] + players["partner.rounds"] + players["opponent.rounds"] == players["rounds"]
    for name in [name for name in group if name.startswith(("cover.", "open."))]:
        assert players[name] == group[name]


@law
@given(finished())
def test_exactly_the_members_of_the_winning_teams_have_won_their_rounds(facts: GameFacts) -> None:
    players = Counter()
    for seat in range(facts.players):
        players.update(of_player(facts, seat))

    winners = [
        own if played.raw[own[0]] > played.raw[other[0]] else other
        for played in facts.rounds
        for own, other in [played.teams]
        if played.raw[own[0]] != played.raw[other[0]]
    ]

    assert players["won"] == sum(map(len, winners))
    assert players["drawn"] == facts.players * (len(facts.rounds) - len(winners))
    for seat in range(facts.players):
        figures = Counter(of_player(facts, seat))
        assert figures["won"] == sum(seat in team for team in winners)
        assert figures["won"] == figures["start.won"] + figures["partner.won"] + figures["opponent.won"]


@law
@given(finished())
def test_in_every_round_two_players_are_partners_or_opponents(facts: GameFacts) -> None:
    rounds = len(facts.rounds)
    together: Counter[int] = Counter()
    for pair in combinations(range(facts.players), 2):
        figures = Counter(of_pair(facts, *pair))
        assert figures["with.rounds"] + figures["against.rounds"] == rounds
        assert of_pair(facts, *reversed(pair)) == figures
        together.update(dict.fromkeys(pair, figures["with.rounds"]))

    sizes = Counter(
        {seat: sum(len(played.team_of(seat)) - 1 for played in facts.rounds) for seat in range(facts.players)}
    )
    assert together == sizes


@law
@given(finished())
def test_every_row_was_left_open_once_a_round_and_every_marker_is_counted_once(facts: GameFacts) -> None:
    group = of_group(facts)
    recorded = [played for played in facts.rounds if played.placements]

    def together(prefix: str) -> int:
        return sum(number for name, number in group.items() if name.startswith(prefix))

    assert all(together(f"open.{row}.") == len(facts.rounds) for row in SETTLED_ROWS)
    assert together("score.") == 2 * len(facts.rounds)
    assert together("cover.") == sum(len(played.placements) for played in recorded)
    assert together("first.") == together("placed") == len(recorded)
    assert together("row_first.") == sum(len({row for _, row, _ in played.placements}) for played in recorded)


@law
@given(finished(), st.data())
def test_who_sits_where_makes_no_difference(facts: GameFacts, data: st.DataObject) -> None:
    seats = data.draw(st.permutations(range(facts.players)))

    other = reseated(facts, lambda seat: seats[seat])

    assert of_group(other) == of_group(facts)
    for seat in range(facts.players):
        assert of_player(other, seats[seat]) == of_player(facts, seat)
    for one, two in combinations(range(facts.players), 2):
        assert of_pair(other, seats[one], seats[two]) == of_pair(facts, one, two)


def _names() -> set[str]:
    """Every name that the figures of a player can have."""
    roles = ("", "start.", "partner.", "opponent.", "alone.", "monster.", "minus2.")
    names = {f"{role}{what}" for role in roles for what in ("rounds", "won", "drawn", "points")}
    names |= {f"{role}players.{players}" for role in IN_NAMED_TEAM for players in START_LEAD}
    names |= {f"preset.{preset}" for preset in PRESETS} | {f"players.{players}" for players in START_LEAD}
    names |= {"games", "wins", "shared", "total", "tricks", "captured", "placed"}
    spaces = {(row, space) for edition in EDITIONS.values() for row in edition.spaces for space in edition.spaces[row]}
    spaces |= {(RowKey.START, "self"), (RowKey.START, "other")}
    names |= {f"{what}.{row.value}.{space}" for what in ("cover", "first", "open") for row, space in spaces}
    # A team has at most 16 tricks and 12 captures, all of them doubled.
    return names | {f"score.{points * counted}" for points in (1, 2, 3, 4, -2) for counted in range(2 * (16 + 12) + 1)}


@law
@given(finished())
def test_the_figures_of_a_player_have_a_few_hundred_names_at_most(facts: GameFacts) -> None:
    names = _names()

    assert len(names) < 350
    for seat in range(facts.players):
        assert of_player(facts, seat).keys() <= names


@law
@given(finished())
def test_every_summary_is_plain_json_and_every_rate_a_rate(facts: GameFacts) -> None:
    group, *others = _all_figures(facts)
    players, pairs = others[: facts.players], others[facts.players :]
    summaries = [GroupSummary.of(group), *map(PlayerSummary.of, players), *map(PairSummary.of, pairs)]

    for summary in summaries:
        value = summary.to_json()
        assert json.loads(json.dumps(value)) == value
        flat = {**value, **{f"{outer}.{name}": each for outer in value for name, each in _inner(value[outer])}}
        rates = [each for name, each in flat.items() if name.endswith("_rate")]
        assert rates
        assert all(rate is None or 0 <= rate <= 1 for rate in rates)


def _inner(value: object) -> list[tuple[str, object]]:
    return list(value.items()) if isinstance(value, dict) else []


# --- ratings ---


def forms() -> st.SearchStrategy[Form]:
    """Players of every strength, known well or hardly."""
    return st.builds(
        Form,
        mu=st.floats(5, 45),
        sigma=st.floats(1, 9),
        streak=st.just(2),
        longest=st.integers(2, 9),
        games=st.integers(9, 99),
    )


def _first_round(facts: GameFacts) -> GameFacts:
    return replace(facts, rounds=facts.rounds[:1])


@law
@given(finished(), st.lists(forms(), min_size=5, max_size=5))
def test_a_round_moves_the_winners_up_and_the_losers_down(facts: GameFacts, known: list[Form]) -> None:
    facts, before = _first_round(facts), known[: facts.players]
    (played,) = facts.rounds

    moves = [new.mu - old.mu for new, old in zip(after(facts, before), before, strict=True)]

    for seat, move in enumerate(moves):
        if played.gap(seat):
            assert (move > 0) == (played.gap(seat) > 0)
    own, other = (sum(moves[seat] for seat in team) for team in played.teams)
    assert own * other <= 0


@law
@given(finished(), st.lists(forms(), min_size=5, max_size=5))
def test_a_drawn_round_moves_everybody_half_as_far_as_a_surprise_at_most(facts: GameFacts, known: list[Form]) -> None:
    facts, before = _first_round(facts), known[: facts.players]
    (played,) = facts.rounds
    own, other = played.teams

    def moves(ahead: tuple[int, ...]) -> list[float]:
        raw = tuple(int(seat in ahead) for seat in range(facts.players))
        rated = after(replace(facts, rounds=(replace(played, raw=raw),)), before)
        return [new.mu - old.mu for new, old in zip(rated, before, strict=True)]

    for drawn, won, lost in zip(moves(()), moves(own), moves(other), strict=True):
        assert abs(drawn) <= max(abs(won), abs(lost)) / 2 + 1e-9
        assert drawn == pytest.approx((won + lost) / 2, abs=1e-9)


@law
@given(st.lists(finished(), min_size=1, max_size=3))
def test_the_same_games_give_the_same_ratings_to_the_last_bit(games: list[GameFacts]) -> None:
    def carried() -> list[Form]:
        known = [start()] * 5
        for facts in games:
            known[: facts.players] = after(facts, known[: facts.players])
        return known

    first, second = carried(), carried()

    assert first == second
    assert json.dumps([form.to_json() for form in first]) == json.dumps([form.to_json() for form in second])


@law
@given(finished(), st.lists(forms(), min_size=5, max_size=5), st.data())
def test_ratings_go_with_the_players_wherever_they_sit(
    facts: GameFacts, known: list[Form], data: st.DataObject
) -> None:
    seats = data.draw(st.permutations(range(facts.players)))
    moved = [known[seats.index(seat)] for seat in range(facts.players)]

    here, there = after(facts, known[: facts.players]), after(reseated(facts, lambda seat: seats[seat]), moved)

    for seat, form in enumerate(here):
        same = there[seats[seat]]
        assert (same.mu, same.sigma) == pytest.approx((form.mu, form.sigma))
        assert (same.streak, same.longest, same.games) == (form.streak, form.longest, form.games)
        assert form.streak == (3 if seat in facts.winners else 0)
        assert form.games == known[seat].games + 1
