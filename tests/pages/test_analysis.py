"""Where a finished digital game turned: the page of a seat, while it is computed and after."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations, pairwise

import pytest
from django_tasks_db.models import DBTaskResult
from pytest_django import Settings

from games.analysis.decisions import Judged, Progress, decisions_of
from games.analysis.swings import lead_of
from games.bot_runner import process
from games.log import store
from games.models import Analysis, Game
from games.pages.parts.turning import verdict_of
from games.rules import NameTeam, Place, Play, Setup
from games.rules.actions import Action, Discard, Pass
from games.rules.cards import Card
from games.rules.editions import RowKey
from games.rules.hints import HintReason
from games.texts import analysis as said
from tests.builders import dutch, english
from tests.cast.digital import DigitalTable, committed, over
from tests.cast.pages import Page, Phone
from tests.cast.seats import at_seats, watching
from tests.cast.tables import Table
from tests.services.crews import worker

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture(autouse=True)
def _few_guesses(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.NJET_ANALYSIS_GUESSES = 1
    monkeypatch.setattr(process, "ensure_running", lambda queue: None)


@pytest.fixture
def finished(db: None) -> DigitalTable:
    """A game after its only round."""
    return DigitalTable(dutch(3, rounds=1)).play_on(over)


def computed(phone: Phone, table: DigitalTable, seat: int = 0, *, differences: tuple[float, ...] = ()) -> Page:
    """The page after the computation, as if every second of the first cards had been worth so much less than the best.

    The round was expected to end as it did.
    """
    with committed(execute=True):
        phone.get(f"/g/{table.id}/analysis/?seat={seat}")
    at_work = worker("analyses")
    while DBTaskResult.objects.filter(queue_name="analyses").exists():
        with committed(execute=True):
            at_work.serve()
    row = Analysis.objects.get(game=table.id, seat=seat)
    progress = Progress.from_json(row.result)
    left, lead = [each for worse in differences for each in (worse, 0.0)], float(lead_of(table.state.finished[0], seat))
    judged = [_made(replace(each, points=lead), left) for each in progress.judged]
    Analysis.objects.update(result=replace(progress, judged=tuple(judged)).to_json())
    return phone.get(f"/g/{table.id}/analysis/?seat={seat}")


def _made(each: Judged, left: list[float]) -> Judged:
    quiet = replace(
        each, best=each.played, difference=0.0, error=0.0, closely=False, reason=None, lost=0.0, chances=None
    )
    if not (left and isinstance(each.played, Play)):
        return quiet
    difference = left.pop(0)
    if not difference:
        return quiet
    # A card that no hand of this game can hold.
    return replace(
        quiet, best=Play(Card.parse("K9")), difference=difference, error=0.4, closely=True, lost=difference / 2
    )


def test_the_end_and_the_replay_lead_to_the_analysis(finished: DigitalTable) -> None:
    phone = at_seats(finished, 1)

    from_end = phone.open("table").press("Where did it turn?")
    from_replay = phone.open("replay_step", 3).press("Where did it turn?")

    assert from_end.status == from_replay.status == 200
    assert from_end.root.one("nav", class_="whose").one("a", aria_current="true").name == "Ben"
    assert DBTaskResult.objects.filter(queue_name="analyses").count() == 1


def test_a_game_that_is_played_has_no_way_to_it(db: None) -> None:
    table = DigitalTable(dutch(3, rounds=1))

    assert "Where did it turn?" not in at_seats(table, 1).open("replay").html
    assert "not finished" in at_seats(table, 1).get(f"/g/{table.id}/analysis/").html
    assert at_seats(table, 1).get(f"/g/{table.id}/analysis/").status == 409
    assert not Analysis.objects.exists()


def test_while_it_is_computed_the_page_loads_itself_again_with_and_without_script(finished: DigitalTable) -> None:
    phone = watching(finished)
    with committed(execute=True):
        page = phone.get(f"/g/{finished.id}/analysis/?seat=2")

    assert "The decisions of Cleo are being judged" in page.text
    assert 'http-equiv="refresh"' in page.html
    waiting = page.root.one("div", id="analysis")
    assert waiting.attrs["hx-get"] == f"/g/{finished.id}/analysis/?seat=2"
    fragment = phone.client.get(waiting.attrs["hx-get"], headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in fragment
    assert 'hx-trigger="every 2s"' in fragment


def test_the_turning_points_are_one_tap_from_their_step(finished: DigitalTable) -> None:
    phone = watching(finished)
    page = computed(phone, finished, differences=(6.2, 0.5, 4.0, 9.5, 3.0))

    assert 'http-equiv="refresh"' not in page.html
    cards = page.root.one("ol", class_="turning").all("li")
    assert [[each.text for each in card.all("b")] for card in cards] == [
        ["1", "Black 9 would have been worth 3.1 points more."],
        ["2", "Black 9 would have been worth 2.0 points more."],
        ["3", "Black 9 would have been worth 4.8 points more."],
    ]
    assert cards[1].one("small").text.startswith("2 Round 1, trick ")
    did = cards[1].one("span").text
    step = phone.get(cards[1].one("a").attrs["href"])
    assert did.removesuffix(".") in step.text
    assert "seat=0" in cards[1].one("a").attrs["href"]
    curve = page.root.one("svg", class_="expected")
    assert len(curve.all("circle", class_="mark")) == 3
    assert [text.text for text in curve.all("text", class_="name")] == ["1", "2", "3"]
    chips = step.root.one("nav", aria_label="Turning points").all("a")
    assert [(chip.text.split()[-1], chip.attrs["href"]) for chip in chips] == [
        (card.all("b")[0].text, card.one("a").attrs["href"]) for card in cards
    ]


def test_what_is_clearly_better_is_said_with_its_reason_if_it_has_one(finished: DigitalTable) -> None:
    phone = watching(finished)
    computed(phone, finished, differences=(6.2, 5.0, 4.0))
    row = Analysis.objects.get()
    progress = Progress.from_json(row.result)
    reasons = {6.2: HintReason.LOWEST, 5.0: HintReason.BEST_IN_TRIALS}
    judged = [replace(each, reason=reasons.get(each.difference), lost=None) for each in progress.judged]
    Analysis.objects.update(result=replace(progress, judged=tuple(judged)).to_json())

    page = phone.get(f"/g/{finished.id}/analysis/?seat=0")

    said = [
        card.all("b")[1].text.partition("points more.")[2] for card in page.root.one("ol", class_="turning").all("li")
    ]
    assert said == [
        " It is the lowest card that you may play.",
        " No simple reason: it did best in trials.",
        "",
    ]


def with_a_fall(table: DigitalTable, size: float, **worse: float) -> None:
    """The curve falls once (or rises: by less than 0), after the second decision, for which this was found."""
    row = Analysis.objects.get()
    progress = Progress.from_json(row.result)
    judged = [
        replace(each, points=each.points + (size if place < 2 else 0.0), **(worse if place == 1 else {}))
        for place, each in enumerate(progress.judged)
    ]
    Analysis.objects.update(result=replace(progress, judged=tuple(judged)).to_json())


def test_a_fall_is_named_with_what_others_did_and_what_was_decided_before(finished: DigitalTable) -> None:
    phone = watching(finished)
    computed(phone, finished)
    with_a_fall(finished, 7.0)

    page = phone.get(f"/g/{finished.id}/analysis/?seat=0")

    (fall,) = page.root.one("ol", class_="turning").all("li")
    number, fell = (each.text for each in fall.all("b"))
    assert number == "1"
    assert fell.startswith("The expected result fell by 7.0 points of the round, from ")
    assert re.search(r" (Ben|Cleo) covered [^:]+: \w+ is trump\.$", fell)
    before = fall.all("small")[-1].text
    assert before.startswith("Ana covered ")
    assert before.endswith("The strong bot finds nothing better.")
    assert [text.text for text in page.root.one("svg", class_="expected").all("text", class_="name")] == ["1"]
    assert not page.root.one("svg", class_="expected").all("circle", class_="mark")
    assert "No decision was clearly worse" in page.text
    assert "Dealt to Ana: " in page.root.one("section", class_="card").text
    turn = phone.get(fall.one("a").attrs["href"]).root.one(class_="turn")
    assert fell == f"{turn.one('small').text} {turn.one('b').text}"


def test_a_fall_after_a_clearly_worse_decision_is_one_point_and_shows_what_was_better(finished: DigitalTable) -> None:
    phone = watching(finished)
    computed(phone, finished)
    decision = decisions_of(finished.seen(None), 0)[1]
    best = next(action for action in decision.view.legal if action != decision.played)
    # Too little for a turning point of its own.
    with_a_fall(finished, 7.0, best=best, difference=0.8, error=0.1, lost=2.0)

    page = phone.get(f"/g/{finished.id}/analysis/?seat=0")

    (point,) = page.root.one("ol", class_="turning").all("li")
    assert point.all("b")[1].text.endswith("would have been worth 2.0 points more.")
    assert re.search(r" The decision itself cost 2.0 of them\. (Ben|Cleo) covered ", point.all("small")[-1].text)
    assert len(page.root.one("svg", class_="expected").all("circle", class_="mark")) == 1
    step = phone.get(point.one("a").attrs["href"])
    assert "would have been worth 2.0 points more." in step.root.one(class_="turn").text
    assert len(step.root.all("span", class_="is-shown")) == 1
    assert "The expected result fell by 7.0" in step.root.one("main").text


def test_the_greatest_rise_is_named_with_what_others_did(finished: DigitalTable) -> None:
    phone = watching(finished)
    computed(phone, finished)
    with_a_fall(finished, -7.0)

    page = phone.get(f"/g/{finished.id}/analysis/?seat=0")

    (rise,) = page.root.one("ol", class_="turning").all("li")
    rose = rise.all("b")[1].text
    assert rose.startswith("The expected result rose by 7.0 points of the round, from ")
    assert re.search(r" (Ben|Cleo) covered [^:]+: \w+ is trump\.$", rose)
    assert [text.text for text in page.root.one("svg", class_="expected").all("text", class_="name")] == ["1"]
    turn = phone.get(rise.one("a").attrs["href"]).root.one(class_="turn")
    assert rose == f"{turn.one('small').text} {turn.one('b').text}"


def test_a_swing_is_marked_on_its_slope_in_the_trick_that_is_named(finished: DigitalTable) -> None:
    phone = watching(finished)
    computed(phone, finished)
    row = Analysis.objects.get()
    progress = Progress.from_json(row.result)
    decisions, named_tricks = [each for each in progress.judged if isinstance(each.played, Play)], list[bool]()
    for falls_at in range(1, len(decisions)):
        if decisions[falls_at].seq == decisions[falls_at - 1].seq + 1:
            # Nothing happened in between.
            continue
        judged = [
            replace(each, points=each.points + 7.0 * (each.seq <= decisions[falls_at - 1].seq))
            for each in progress.judged
        ]
        Analysis.objects.update(result=replace(progress, judged=tuple(judged)).to_json())

        page = phone.get(f"/g/{finished.id}/analysis/?seat=0")

        named = int(page.root.one("ol", class_="turning").all("small")[0].text.partition("trick ")[2].split()[0])
        curve = page.root.one("svg", class_="expected")
        ticks = sorted(
            {
                float(line.attrs["x1"])
                for line in curve.all("line", class_="grid")
                if line.attrs["x1"] == line.attrs["x2"]
            }
        )
        (mark,) = curve.all("text", class_="name")
        assert float(mark.attrs["x"]) == ticks[named - 1]
        named_tricks.append(f"Trick {named} (" in page.root.one("ol", class_="turning").text)
    assert any(named_tricks)


def test_what_the_named_tricks_do_not_make_up_is_called_what_cards_showed(finished: DigitalTable) -> None:
    phone = watching(finished)
    computed(phone, finished)
    progress = Progress.from_json(Analysis.objects.get().result)

    def turning(last: int, fall: float) -> str:
        judged = [replace(each, points=each.points + fall * (each.seq <= last)) for each in progress.judged]
        Analysis.objects.update(result=replace(progress, judged=tuple(judged)).to_json())
        return "".join(each.text for each in phone.get(f"/g/{finished.id}/analysis/?seat=0").root.all(class_="turning"))

    seq, points = next(
        (each.seq, sum(map(int, tricks)))
        for each in progress.judged
        if (tricks := re.findall(r"Trick \d+ \((\d+) points?\)", turning(each.seq, 7.0)))
    )
    assert "what these cards showed" not in turning(seq, 2.0 * points)
    assert "what these cards showed" in turning(seq, 2.0 * points + 1)


def test_what_was_decided_and_what_happened_differ_at_a_glance(finished: DigitalTable) -> None:
    phone = watching(finished)
    computed(phone, finished)
    with_a_fall(finished, 7.04)
    fell = phone.get(f"/g/{finished.id}/analysis/?seat=0").root.one("ol", class_="turning")
    computed(phone, finished, differences=(6.2,))
    decided = phone.get(f"/g/{finished.id}/analysis/?seat=0").root.one("ol", class_="turning")

    assert fell.all("small")[0].text.endswith("· others decided ▼ 7.0")
    assert decided.all("small")[0].text.endswith("· Ana decided")


@pytest.mark.parametrize(
    ("before", "after", "points"), [(-2.75, -12.04, "9.2"), (-2.84, -12.0, "9.2"), (1.26, 3.34, "2.0")]
)
def test_the_points_of_a_swing_are_the_difference_of_what_is_read(before: float, after: float, points: str) -> None:
    assert f"by {points} points" in said.swung(before, after)


def test_a_small_part_of_the_curve_is_no_turning_point(finished: DigitalTable) -> None:
    phone = watching(finished)
    computed(phone, finished)
    with_a_fall(finished, 7.0)
    row = Analysis.objects.get()
    progress = Progress.from_json(row.result)
    far = replace(progress.judged[0], points=progress.judged[0].points + 29.0)
    Analysis.objects.update(result=replace(progress, judged=(far, *progress.judged[1:])).to_json())

    page = phone.get(f"/g/{finished.id}/analysis/?seat=0")

    (fall,) = page.root.one("ol", class_="turning").all("li")
    assert "fell by 29.0 points" in fall.text


def test_what_worse_decisions_cost_is_the_sum_of_those_that_are_listed(finished: DigitalTable) -> None:
    page = computed(watching(finished), finished, differences=(6.26, 4.46, 9.5, 3.0, 2.0))

    card = page.root.one("section", class_="card")
    worse = card.all("details")[0]
    costs = [float(line.text.partition("would have been worth ")[2].split()[0]) for line in worse.all("li")]
    assert len(costs) == 5
    assert "5 decisions were clearly worse" in worse.one("summary").text
    assert f"Decisions that were clearly worse: −{sum(costs):.1f}." in card.text
    assert len(page.root.one("ol", class_="turning").all("li")) == 3


def test_every_trick_has_the_same_room_and_the_numbers_are_apart(finished: DigitalTable) -> None:
    page = computed(watching(finished), finished)

    curve = page.root.one("svg", class_="expected")
    bottom = max(float(line.attrs["y2"]) for line in curve.all("line"))
    texts = [each for each in curve.all("text") if each.attrs["y"] == str(round(bottom) + 15)]
    numbers, places = [int(each.text) for each in texts], [float(each.attrs["x"]) for each in texts]
    assert numbers == list(range(numbers[0], len(finished.state.finished[0].tricks) + 1, numbers[0]))
    gaps = [after - before for before, after in pairwise(places)]
    # Two figures of 12 units are 15 wide.
    assert min(gaps) > 20
    assert max(gaps) - min(gaps) < 0.3


def test_the_replay_of_a_turning_point_says_and_rings_what_was_better(finished: DigitalTable) -> None:
    phone = watching(finished)
    computed(phone, finished)
    row = Analysis.objects.get()
    progress = Progress.from_json(row.result)
    decisions = {each.seq: each for each in decisions_of(finished.seen(None), 0)}
    judged = list(progress.judged)

    def turn(kind: type[Action], difference: float) -> tuple[int, Action]:
        place, each = next((place, each) for place, each in enumerate(judged) if isinstance(each.played, kind))
        best = next(action for action in decisions[each.seq].view.legal if action != each.played)
        judged[place] = replace(each, best=best, difference=difference, error=0.1, closely=True, lost=2.0)
        steps = [step.key.seq for step in finished.ledger.replay.applied]
        return steps.index(each.seq) + 1, best

    (first, covers), (second, plays) = turn(Place, 5.0), turn(Play, 3.0)
    assert isinstance(covers, Place)
    assert isinstance(plays, Play)
    without = phone.get(f"/g/{finished.id}/replay/{first}/?seat=0")
    Analysis.objects.update(result=replace(progress, judged=tuple(judged)).to_json())

    page = phone.get(f"/g/{finished.id}/replay/{first}/?seat=0")

    assert "would have been worth" not in without.text
    assert "would have been worth 2.0 points more." in page.root.one(class_="turn").text
    (ringed,) = page.root.all("span", class_="is-shown")
    assert ringed.one(class_="sr").text.endswith(": better to cover")
    (on,) = (link.attrs["href"] for link in page.root.all("a", aria_keyshortcuts="n"))
    assert on.endswith(f"/{second}/?seat=0")
    later = phone.get(on)
    assert [card.attrs["data-card"] for card in later.root.all("b", class_="is-shown")] == [str(plays.card)]
    (back,) = later.root.all("a", aria_keyshortcuts="p")
    assert back.attrs["href"].endswith(f"/{first}/?seat=0")
    assert not later.root.all("a", aria_keyshortcuts="n")
    # A chip that has the focus is the same one after the step.
    for each in (page, later):
        chips = each.root.one("nav", aria_label="Turning points").all("a")
        assert [chip.attrs["id"] for chip in chips] == ["turn-1", "turn-2"]
    for other in ("", "?seat=1"):
        plain = phone.get(f"/g/{finished.id}/replay/{first}/{other}")
        assert not plain.root.all("span", class_="is-shown")
        assert not plain.root.all("a", aria_keyshortcuts="n")


def test_whose_cards_are_shown_changes_nothing_of_whose_decisions_are_named(finished: DigitalTable) -> None:
    phone = watching(finished)
    point = computed(phone, finished, differences=(6.2, 4.8)).root.one("ol", class_="turning").all("li")[0]
    step = phone.get(point.one("a").attrs["href"])
    chips = {link.name: link.attrs["href"] for link in step.root.one("nav", class_="is-seats").all("a")}

    assert [href.partition("?")[2] for href in chips.values()] == [
        "judged=0",
        "seat=0",
        "seat=1&judged=0",
        "seat=2&judged=0",
    ]
    for name in ("All", "Cleo"):
        page = phone.get(chips[name])
        assert page.root.one("nav", class_="is-seats").one("a", aria_current="true").name == name
        assert "Black 9 would have been worth 3.1 points more." in page.root.one(class_="turn").text
        (on,) = page.root.all("a", aria_keyshortcuts="n")
        assert on.attrs["href"].partition("?")[2] == chips[name].partition("?")[2]
        assert page.offers("Decide again as Ana")
        assert (
            page.press("Where did it turn?").root.one("nav", class_="whose").one("a", aria_current="true").name == "Ana"
        )


def test_what_was_better_is_ringed_in_the_hand_of_the_player_who_decided_alone(finished: DigitalTable) -> None:
    """Another player may hold the same card."""
    phone = watching(finished)
    computed(phone, finished)
    steps = {each.key.seq: (number, each) for number, each in enumerate(finished.ledger.replay.applied, start=1)}
    seq, best = next(
        (each.seq, action)
        for each in decisions_of(finished.seen(None), 0)
        for action in each.view.legal
        if isinstance(action, Play)
        and action != each.played
        and (full := steps[each.seq][1].full) is not None
        and any(action.card in hand for hand in full.hands[1:])
    )
    row = Analysis.objects.get()
    progress = Progress.from_json(row.result)
    judged = [
        replace(each, best=best, difference=5.0, error=0.1, closely=True, lost=3.0) if each.seq == seq else each
        for each in progress.judged
    ]
    Analysis.objects.update(result=replace(progress, judged=tuple(judged)).to_json())

    page = phone.get(f"/g/{finished.id}/replay/{steps[seq][0]}/?judged=0")

    assert [card.attrs["data-card"] for card in page.root.all("b", class_="is-shown")] == [str(best.card)]


@pytest.mark.parametrize("is_alone", [False, True])
def test_who_should_have_been_named_is_ringed_in_the_replay(finished: DigitalTable, *, is_alone: bool) -> None:
    """Of a player who should have played alone: their own name."""
    applied = finished.ledger.replay.applied
    number, step = next((n, step) for n, step in enumerate(applied, start=1) if isinstance(step.action, NameTeam))
    assert isinstance(step.action, NameTeam)
    assert step.seat is not None
    other = min({0, 1, 2} - {step.seat, *step.action.partners})
    phone = watching(finished)
    computed(phone, finished, seat=step.seat)
    progress = Progress.from_json(Analysis.objects.get().result)
    better = NameTeam((), monster=None) if is_alone else NameTeam((other,), monster=step.seat)
    judged = [
        replace(each, best=better, difference=5.0, error=0.1, closely=True, lost=3.0)
        if isinstance(each.played, NameTeam)
        else each
        for each in progress.judged
    ]
    Analysis.objects.update(result=replace(progress, judged=tuple(judged)).to_json())

    page = phone.get(f"/g/{finished.id}/replay/{number}/?judged={step.seat}")

    ringed = " ".join(each.text for each in page.root.all("h3", class_="is-shown"))
    names = finished.ledger.current_setup.names
    assert [name in ringed for name in names] == [
        seat == step.seat or (seat == other and not is_alone) for seat in range(3)
    ]


def test_numbers_of_turning_points_that_are_close_do_not_cover_each_other(finished: DigitalTable) -> None:
    phone = watching(finished)
    computed(phone, finished)
    progress = Progress.from_json(Analysis.objects.get().result)
    first, second, *later = progress.judged
    best = Play(Card.parse("K9"))
    judged = [
        replace(first, points=first.points + 7.0),
        replace(second, best=best, difference=5.0, error=0.1, closely=True, lost=3.0),
        *later,
    ]
    Analysis.objects.update(result=replace(progress, judged=tuple(judged)).to_json())

    page = phone.get(f"/g/{finished.id}/analysis/?seat=0")

    names = page.root.one("svg", class_="expected").all("text", class_="name")
    at = [(float(each.attrs["x"]), float(each.attrs["y"])) for each in names]
    assert len(at) == 2
    assert all(abs(x - u) >= 14 or abs(y - v) >= 12 for (x, y), (u, v) in combinations(at, 2))
    (x, _y), (u, _v) = at
    assert abs(x - u) < 14


@pytest.mark.parametrize("asked", ["3", "x", "", "1"])
def test_a_seat_whose_decisions_are_not_judged_names_none(finished: DigitalTable, asked: str) -> None:
    phone = watching(finished)
    computed(phone, finished, differences=(6.2,))

    page = phone.get(f"/g/{finished.id}/replay/3/?judged={asked}")

    assert page.status == 200
    assert not page.root.all("nav", aria_label="Turning points")


def test_the_replay_leads_back_to_the_turning_points_that_it_has(finished: DigitalTable) -> None:
    phone = watching(finished)
    computed(phone, finished, differences=(6.2,))

    back = phone.get(f"/g/{finished.id}/replay/3/?seat=2&judged=0").root.one("header").one("a")
    plain = phone.get(f"/g/{finished.id}/replay/3/?seat=2").root.one("header").one("a")

    assert back.attrs["href"] == f"/g/{finished.id}/analysis/?seat=0"
    assert plain.attrs["href"] == f"/g/{finished.id}/sheet/"


NEARER = "Better for the victory"
CHANCE = "The chance of the victory would have been"


@pytest.mark.parametrize(
    ("lost", "chances", "sentence"),
    [
        (2.0, (0.4, 0.44), "Black 9 would have been worth 2.0 points more."),
        (3.0, (0.4, 0.6), "Black 9 would have been worth 3.0 points more."),
        (2.0, (0.43, 0.5), f"{NEARER}: play black 9. {CHANCE} 50%, not 43%."),
        (None, None, "Black 9 would have been worth 2.9 points more."),
        (0.04, (0.43, 0.5), f"{NEARER}: play black 9. {CHANCE} 50%, not 43%."),
        (-1.7, (0.43, 0.5), f"{NEARER}: play black 9. {CHANCE} 50%, not 43%."),
        (-1.7, None, f"{NEARER}, if not for the points of the round: play black 9."),
    ],
)
def test_what_was_better_is_said_in_points_of_the_round_or_else_in_the_chance_of_the_victory(
    lost: float | None, chances: tuple[float, float] | None, sentence: str
) -> None:
    card, better = Play(Card.parse("K1")), Play(Card.parse("K9"))

    judged = Judged(1, card, better, difference=2.9, error=0.4, points=0.0, lost=lost, chances=chances)

    assert verdict_of(judged, dutch(3)) == sentence


def test_what_a_hint_advised_is_not_called_worse(finished: DigitalTable) -> None:
    phone = watching(finished)
    computed(phone, finished, differences=(6.2, 4.0))
    row = Analysis.objects.get()
    progress = Progress.from_json(row.result)
    judged = [replace(each, hinted=each.difference == 6.2) for each in progress.judged]
    Analysis.objects.update(result=replace(progress, judged=tuple(judged)).to_json())

    page = phone.get(f"/g/{finished.id}/analysis/?seat=0")

    (point,) = page.root.one("ol", class_="turning").all("li")
    assert "worth 2.0 points more" in point.text
    assert "As the hint said; a longer search prefers: play black 9." in page.text


@pytest.mark.parametrize(
    ("advised", "hinted", "sentence"),
    [
        ("K2", False, "About as good as the hint: play black 2."),
        ("K1", True, "As the hint said."),
        (None, False, "No clear difference from what the strong bot would do: play black 9."),
    ],
)
def test_a_decision_that_was_not_clearly_worse_is_compared_with_the_hint(
    advised: str | None, hinted: bool, sentence: str
) -> None:
    card, better = Play(Card.parse("K1")), Play(Card.parse("K9"))
    said_so = None if advised is None else Play(Card.parse(advised))
    judged = Judged(1, card, better, difference=0.1, error=0.4, points=0.0, hinted=hinted, advised=said_so)

    assert verdict_of(Judged.from_json(judged.to_json()), dutch(3)) == sentence


def test_a_decision_that_could_have_been_better_is_made_again(finished: DigitalTable) -> None:
    phone = watching(finished)
    page = computed(phone, finished, differences=(6.2,))
    address = page.root.one("ol", class_="turning").one("a").attrs["href"]
    step = int(address.split("/")[-2])

    assert phone.get(address).press("Decide again as Ana", level="easy").status == 200

    game = Game.objects.get(deals_of=finished.id)
    again = store.read(game)
    assert game.from_step == step - 1
    assert again.state.acting_seats == (0,)
    assert finished.ledger.replay.applied[step - 1].action in again.played_by(0).view.legal
    assert phone.get(address.split("?")[0]).offers("Play on from here")


@pytest.mark.slow
def test_an_analysis_of_another_version_says_nothing_in_the_replay(finished: DigitalTable) -> None:
    phone = watching(finished)
    computed(phone, finished, differences=(6.2,))
    page = phone.get(f"/g/{finished.id}/analysis/?seat=0")
    address = page.root.one("ol", class_="turning").one("a").attrs["href"]
    assert "3.1 points more" in phone.get(address).text

    Analysis.objects.update(version=0)

    assert "3.1 points more" not in phone.get(address).text


def test_every_decision_is_listed_by_round_and_chance_is_called_so(finished: DigitalTable) -> None:
    page = computed(watching(finished), finished, differences=(0.7, 0.5))

    (folded,) = page.root.one("section", class_="card").all("details")
    listed = folded.all("li")
    row = Analysis.objects.get()
    judged = Progress.from_json(row.result).judged
    assert len(listed) == len(judged)
    verdicts = [item.all("p")[0].text for item in listed]
    assert verdicts.count("No clear difference from what the strong bot would do: play black 9.") == 2
    assert verdicts.count("The strong bot finds nothing better.") == len(judged) - 2
    assert "No decision was clearly worse" in page.text
    assert (
        page.root.one("svg", class_="expected")
        .attrs["aria-label"]
        .startswith("Round 1. At the first decision: Expected then: ")
    )


def test_another_seat_is_one_tap_away(finished: DigitalTable) -> None:
    page = computed(watching(finished), finished)

    assert page.press("Cleo").root.one("nav", class_="whose").one("a", aria_current="true").name == "Cleo"


@pytest.mark.parametrize("seat", ["3", "-1", "x", "", "٢", "9" * 5000])
def test_a_seat_that_is_not_there_shows_that_of_the_reader(finished: DigitalTable, seat: str) -> None:
    page = at_seats(finished, 2).get(f"/g/{finished.id}/analysis/?seat={seat}")

    assert page.root.one("nav", class_="whose").one("a", aria_current="true").name == "Cleo"


def test_a_physical_table_has_no_analysis(db: None) -> None:
    table = Table()

    phone = Phone()
    phone.sits(table, table.key)

    assert phone.get(f"/g/{table.id}/analysis/").status == 404


@pytest.mark.parametrize(
    ("best", "sentence"),
    [
        (Place(RowKey.TRUMP, "blue"), "Covering blue trump would have been worth 2.0 points more."),
        (NameTeam((2,), None), "Playing with {Cleo} would have been worth 2.0 points more."),
        (Discard((Card.parse("R1"),)), "Discarding red 1 would have been worth 2.0 points more."),
        (Pass((Card.parse("R1"),)), "Passing red 1 would have been worth 2.0 points more."),
        (Play(Card.parse("R1")), "Red 1 would have been worth 2.0 points more."),
    ],
)
def test_what_would_have_been_better_is_a_sentence(best: Action, sentence: str) -> None:
    setup = Setup.of(preset="njet-english", names=("Ana", "Ben", "{Cleo}", "Dan"))

    assert said.better(best, setup, points=2.0) == sentence


def test_teams_with_a_monster_are_sentences_too() -> None:
    setup = english(5)
    names = setup.names

    assert said.better(NameTeam((), 0), setup, points=2.0).startswith("Playing alone would")
    assert f"Playing with {names[2]}, and the monster for {names[0]}, would" in said.better(
        NameTeam((2,), 0), setup, points=2.0
    )


def test_what_was_expected_is_a_sentence() -> None:
    assert said.expected(3.24) == "Expected then: the round is won by 3.2 points."
    assert said.expected(-3.24) == "Expected then: the round is lost by 3.2 points."
    assert said.expected(0.01) == "Expected then: the round is drawn."
    assert [said.ended(points) for points in (1, 5, -1, 0)] == [
        "Won by 1 point.",
        "Won by 5 points.",
        "Lost by 1 point.",
        "Drawn.",
    ]
