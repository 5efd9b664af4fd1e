"""Several phones on one table, live, through bad wifi: journeys on a real server."""

from __future__ import annotations

import re
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route

from tests.browser.audit import CONTRAST, fits_without_scrolling, problems_of, violations_of
from tests.browser.conftest import ARTEFACTS, PATIENCE, phone_of
from tests.browser.expecting import expect
from tests.browser.facts import overlaps, places
from tests.browser.phone import Phone, waiting
from tests.browser.sizes import PHONE
from tests.browser.watching import Watch
from tests.live.phones import Visitor
from tests.ops.running import Server, manage

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAMES = ["Ana", "Ben", "Cleo"]

Devices = Callable[..., Phone]


@pytest.fixture(scope="module")
def server(first_start: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(shutil.copytree(first_start, tmp_path_factory.mktemp("live") / "data")) as server:
        yield server


@pytest.fixture
def device(server: Server, chromium: Browser) -> Iterator[Devices]:
    """Opens phones that know nothing of one another.  What a browser complains about fails the test."""
    opened: list[Phone] = []

    def open_one() -> Phone:
        address = f"http://127.0.0.1:{server.port}"
        context = chromium.new_context(base_url=address, has_touch=True, is_mobile=True, viewport=vars(PHONE))
        phone = phone_of(context, address)
        opened.append(phone)
        return phone

    yield open_one
    complaints = [complaint for phone in opened for complaint in phone.watch.complaints]
    for phone in opened:
        phone.page.context.close()
    assert complaints == []


def sit_down(device: Devices, *, others: int = 1, role: str = "scorekeeper") -> list[Phone]:
    """A new table on one phone, and others that came in by its link; all of them see the board."""
    ana = device()
    ana.new_table("njet-english", NAMES, dealer="Cleo")
    ana.begin_placing()
    phones = [ana]
    for number in range(others):
        phones.append(join(device(), ana, role=role, label=NAMES[(number + 1) % 3]))
    for phone in phones:
        is_live(phone)
    return phones


def join(phone: Phone, host: Phone, *, role: str = "scorekeeper", label: str = "Ben") -> Phone:
    """Come in by a link that the host shows."""
    board = f"/g/{host.game_id}/?board"
    host.open(f"/g/{host.game_id}/phones/")
    # The button of a viewer is folded.
    host.page.locator(f'button[name="role"][value="{role}"]').first.evaluate("button => button.click()")
    link = host.page.locator('[href*="/join/"], [data-link], .link').first.inner_text()
    host.open(board)
    phone.page.goto(link.strip())
    phone.page.locator(f'[name="label"][value="{label}"]').check(force=True)
    phone.tap("Join")
    phone.at_table(host.names)
    phone.open(board)
    return phone


def is_live(phone: Phone) -> None:
    """Wait until the phone hears the server."""
    expect(phone.page.locator("#here-button")).not_to_have_text("")


def at_version(phone: Phone, version: int, *, patience: int = PATIENCE) -> None:
    expect(phone.table).to_have_attribute("data-version", str(version), timeout=patience)


def waits(phone: Phone, count: int) -> None:
    """The phone says how many taps wait on it."""
    expect(phone.page.locator("#line summary")).to_contain_text(waiting(count))


def nothing_waits(phone: Phone) -> None:
    expect(phone.page.locator("#line")).to_be_hidden()


def tap_offline(phone: Phone, row: str, space: str) -> None:
    """Put a marker on a space that only this phone knows of."""
    target = phone.space(row, space)
    phone.touch(target)
    expect(target).to_have_class("space is-waiting is-covered")


def go_deaf(phone: Phone) -> None:
    """The phone can send, but hears of nothing that others do."""
    phone.stays_behind()
    phone.page.reload()


def lose_line(phone: Phone) -> None:
    """No answer from now on, and the phone knows it: what is tapped next is not tried first."""
    phone.lose_line()
    expect(phone.page.locator("#line summary")).to_contain_text("Offline")


# A whole board of three players, in the order in which they place it; what stays open makes the conditions.
BOARD = [
    ("trump", "red"), ("trump", "black"), ("trump", "blue"), ("trump", "yellow"),
    ("supertrump", "red"), ("supertrump", "black"), ("supertrump", "blue"), ("supertrump", "yellow"),
    ("points", "-2"), ("points", "1"), ("points", "3"), ("points", "4"),
    ("start", "Ana"), ("start", "Ben"),
    ("discard", "discard_1"), ("discard", "discard_2"), ("discard", "discard_2_no_zero"), ("discard", "pass_2_right"),
]  # fmt: skip


def test_a_tap_is_seen_on_the_other_phone_without_a_request_and_that_one_can_tap_at_once(device: Devices) -> None:
    ana, ben = sit_down(device)
    asked: list[str] = []
    encodings: list[str | None] = []
    ben.page.on("request", lambda request: asked.append(request.url))

    for version, space in enumerate(("red", "blue"), start=1):
        ana.cover("trump", space)
        at_version(ben, version)
    asked_since = [address for address in asked if "/live/" not in address]
    ben.cover("trump", "black")
    at_version(ana, 3)
    ben.page.on("response", lambda response: encodings.append(response.headers.get("content-encoding")))
    with ben.page.expect_response("**/live/*/?*fragment"):
        ben.page.reload()

    assert asked_since == []
    assert "gzip" in encodings


def test_a_phone_whose_page_shows_something_else_now_opens_its_stream_for_that(device: Devices) -> None:
    ana = device()
    ana.new_table("njet-english", NAMES, dealer="Cleo")
    ana.note_board(start="Ana", discard="njet", trump="red", supertrump="njet", points="2")
    ana.name_team("Ben")
    ben = join(device(), ana)
    ana.go("")
    ben.go("")
    is_live(ben)
    with ben.page.expect_request("**/live/*/?count=tally&fragment"):
        ben.tap("Whole round")
    asked: list[str] = []
    is_live(ben)
    ben.page.on("request", lambda request: asked.append(request.url))

    ana.page.locator('button[name="trick"][value="0:0"]').tap()

    at_version(ben, 3)
    assert [address for address in asked if "/live/" not in address] == []


def test_a_fragment_that_arrives_while_a_tap_is_being_sent_is_shown_after_it(device: Devices) -> None:
    ana, ben = sit_down(device)

    def send_late(route: Route) -> None:
        ana.cover("trump", "red")
        ben.page.wait_for_timeout(300)
        route.continue_()

    ben.page.route("**/act/", send_late, times=1)
    ben.space("trump", "blue").tap()

    assert ben.code in ("stale_version", "space_covered")
    at_version(ben, 1)
    expect(ben.space("trump", "red")).to_have_class("space is-covered")


def test_both_teams_confirm_a_round_and_then_its_correction_on_two_phones(device: Devices) -> None:
    ana = device()
    ana.new_table("njet-english", NAMES, dealer="Cleo")
    ana.go("menu/")
    switch = ana.page.get_by_role("button", name="Both teams confirm each round")
    switch.tap()
    expect(switch).to_have_attribute("aria-pressed", "true")
    ana.go("")
    ana.note_board(start="Ana", discard="njet", trump="red", supertrump="njet", points="2")
    ana.name_team("Ben")
    ana.tally({"Ana": (6, 1), "Ben": (5, 0), "Cleo": (5, 2)})
    ben = join(device(), ana)
    ana.go("")
    ben.go("")
    is_live(ben)
    found = flaws(ana, "confirm")
    ana.begin_placing()
    ana.go("?board")
    found += flaws(ana, "confirm-board")
    assert overlaps(ana.page, ".space", "footer.thumb") == []
    spaces = places(ana.page, ".space")

    last = ben.page.get_by_role("button", name="Cleo confirms").bounding_box()
    ben.tap("Ana and Ben confirm")
    expect(ben.page.get_by_text("✓ confirmed by Ana and Ben")).to_be_visible()
    # A second tap in the same place confirms nothing for the other team.
    assert ben.page.get_by_role("button", name="Cleo confirms").bounding_box() == last
    ana.touch(ana.page.get_by_role("link", name="What both teams are asked to confirm"))
    expect(ana.page.get_by_role("button", name="Cleo confirms")).to_be_in_viewport(ratio=1)
    ana.page.evaluate("scrollTo(0, 0)")
    ben.tap("Cleo confirms")
    expect(ana.page.get_by_role("button", name="Cleo confirms")).to_have_count(0)
    moved = zip(places(ana.page, ".space"), spaces, strict=True)
    assert all(abs(now[1] - before[1]) <= 1 for now, before in moved)

    ana.go("correct/1/")
    ana.figure("tricks", "Ana").fill("7")
    ana.figure("tricks", "Cleo").fill("4")
    ana.tap("Preview")
    expect(ana.page.get_by_text("It is corrected once both teams confirm the correction.")).to_be_visible()
    ana.tap("Ask both teams to confirm it")
    expect(ben.page.get_by_role("heading", name="A correction waits for both teams")).to_be_visible()
    found += flaws(ben, "pending")
    ben.tap("Ana and Ben confirm")
    expect(ana.page.get_by_role("button", name="Ana and Ben confirm")).to_have_count(0)
    ana.tap("Cleo confirms")
    expect(ben.page.get_by_role("heading", name="A correction waits for both teams")).to_have_count(0)
    assert ben.standings == {"Ana": "26", "Ben": "26", "Cleo": "24"}
    ben.go("sheet/")
    found += flaws(ben, "confirmed-sheet")

    assert not found, "\n".join(found)


def test_undo_on_one_phone_is_seen_on_the_other(device: Devices) -> None:
    ana, ben = sit_down(device)
    ana.cover("trump", "blue")
    ana.cover("trump", "red")
    at_version(ben, 2)

    ben.page.locator(".undo button").tap()
    ben.tap("Take it back")

    at_version(ana, 3)
    expect(ana.space("trump", "red")).to_have_class("space")
    expect(ben.space("trump", "red")).to_have_class("space")


def test_a_tap_that_lost_a_race_is_offered_again_and_the_next_tap_succeeds(device: Devices) -> None:
    ana, ben = sit_down(device)
    go_deaf(ben)
    ana.cover("trump", "red")

    ben.space("trump", "blue").tap()
    assert ben.code in ("stale_version", "space_covered")
    at_version(ben, 1)
    ben.page.locator(".notice button").tap()

    at_version(ben, 2)
    expect(ben.space("trump", "blue")).to_have_class("space is-covered")
    ben.space("points", "1").tap()
    at_version(ben, 3)


def test_what_is_half_typed_survives_what_others_do(device: Devices) -> None:
    ana, ben = sit_down(device)
    ana.go("quick/")
    for row, space in (("start", "0"), ("discard", "njet"), ("trump", "njet"), ("supertrump", "njet"), ("points", "2")):
        ana.page.locator(f'[name="{row}"][value="{space}"]').click(force=True)
    ana.name_team("Ben")
    at_version(ben, 2)
    ben.tap("Whole round")
    figure = ben.page.locator('[name="tricks-1"]')
    figure.fill("7")

    ana.go("penalty/")
    ana.page.locator('[name="seat"]').first.check(force=True)
    ana.page.locator('[name="points"]').fill("-1")
    ana.page.locator('[name="reason"]').fill("spilled the tea")
    ana.page.locator("main button.is-main").tap()

    at_version(ben, 3)
    expect(figure).to_have_value("7")
    expect(figure).to_be_focused()


def test_five_phones_see_each_marker_anyone_who_places_it(device: Devices) -> None:
    phones = sit_down(device, others=4)

    for number, (row, space) in enumerate(BOARD[:10]):
        phone = phones[number % 5]
        at_version(phone, number)
        phone.space(row, space).tap()

    for phone in phones:
        at_version(phone, 10)
        assert phone.page.locator(".space.is-covered .marker:not(.t-none)").count() == 10
    expect(phones[0].page.locator("#here-button")).to_have_text("5")


def test_of_simultaneous_taps_one_wins_and_the_others_say_so(device: Devices) -> None:
    phones = sit_down(device, others=4)
    for phone in phones:
        go_deaf(phone)

    for phone in phones:
        phone.space("trump", "red").dispatch_event("click")

    for phone in phones:
        at_version(phone, 1)
    shown = [phone.notices for phone in phones]
    assert sum(not notices for notices in shown) == 1
    assert all("the table has changed" in notices[0] for notices in shown if notices)


def test_a_whole_placing_phase_offline_arrives_once_and_in_order(device: Devices) -> None:
    ana, ben = sit_down(device)
    lose_line(ana)
    for row, space in BOARD[:5]:
        tap_offline(ana, row, space)
    waits(ana, 5)
    assert ana.keeps(5)
    at_version(ben, 0)

    # The tab is killed and opened again, and there still is no line.
    ana.page.close()
    ana.page = ana.page.context.new_page()
    ana.watch.forgive("net::ERR_INTERNET_DISCONNECTED")
    ana.find_line()
    ana.open(f"/g/{ben.game_id}/?board")
    at_version(ana, 5)

    lose_line(ana)
    for row, space in BOARD[5:-1]:
        tap_offline(ana, row, space)
    ana.space(*BOARD[-1]).tap()
    ana.find_line()

    at_version(ana, len(BOARD))
    at_version(ben, len(BOARD))
    nothing_waits(ana)
    ana.go("history/")
    assert ana.page.locator(".log").count() == len(BOARD)


def test_a_tab_that_is_killed_between_two_taps_goes_on_with_the_next(device: Devices) -> None:
    (ana,) = sit_down(device, others=0)
    game_id = ana.game_id
    lose_line(ana)
    for row, space in BOARD[:3]:
        tap_offline(ana, row, space)
    assert ana.keeps(3)
    sent: list[str] = []

    def let_one_through(route: Route) -> None:
        sent.append(route.request.url)
        route.continue_() if len(sent) == 1 else route.abort()

    ana.watch.forgive("net::ERR_FAILED")
    ana.page.route("**/act/", let_one_through)
    ana.find_line()
    at_version(ana, 1)
    ana.page.close()

    ana.page = ana.page.context.new_page()
    ana.open(f"/g/{game_id}/?board")

    at_version(ana, 3)
    nothing_waits(ana)


def test_two_phones_offline_lose_nothing_and_double_nothing(device: Devices) -> None:
    ana, ben = sit_down(device)
    lose_line(ana)
    lose_line(ben)
    for row, space in BOARD[:4]:
        tap_offline(ana, row, space)
    for row, space in [BOARD[0], BOARD[8], BOARD[2]]:
        tap_offline(ben, row, space)

    ana.find_line()
    at_version(ana, 4)
    ben.find_line()
    expect(ben.page.locator("#line summary")).to_contain_text("changed meanwhile")
    at_version(ben, 4)
    ben.tap("Record them now")

    # The space that Ana had covered, and one of the later taps; what Ben had noted for a later turn is recorded.
    expect(ben.page.locator("#line summary")).to_contain_text("Refused: 2.")
    reasons = ben.page.locator("#line li small").all_inner_texts()
    assert len(reasons) == 2
    assert all(reasons)
    at_version(ben, 5)
    at_version(ana, 5)
    ben.tap("Discard")
    nothing_waits(ben)


def test_a_whole_round_offline_is_kept_and_counted_later(device: Devices) -> None:
    ana = device()
    ana.new_table("njet-english", NAMES, dealer="Cleo")
    is_live(ana)
    ana.has_pad()
    lose_line(ana)
    ana.tap("Start placing")
    for row, space in BOARD[:-1]:
        tap_offline(ana, row, space)
    ana.space(*BOARD[-1]).tap()

    expect(ana.page.get_by_text("Who plays with the start player?")).to_be_visible()
    ana.page.locator(f'#pad [name="partner"][value="{ana.names.index("Ben")}"]').check(force=True)
    ana.page.locator(f'#pad [name="monster"][value="{ana.names.index("Ana")}"]').check(force=True)
    ana.tap("Name the teams")
    ana.page.get_by_text("Whole round", exact=True).tap()
    for name, figure in {"tricks-0": "6", "tricks-1": "5", "tricks-2": "5", "captured-0": "1"}.items():
        ana.page.locator(f'#pad [name="{name}"]').fill(figure)
    ana.tap("Count the round")
    waits(ana, len(BOARD) + 2)
    assert ana.sees("The whole round waits on this phone")
    ana.find_line()

    at_version(ana, len(BOARD) + 2)
    nothing_waits(ana)
    assert ana.shows == "setup"
    assert ana.heading.startswith("Round 1 ")


def test_offline_teams_and_tricks_go_on_from_the_page(device: Devices) -> None:
    ana = device()
    ana.new_table("njet-english", ["Ana", "Ben", "Cleo", "Dan", "Eve"])
    ana.note_board(start="Ana", discard="njet", trump="black", supertrump="blue", points="2")
    is_live(ana)
    ana.has_pad()
    lose_line(ana)
    ana.touch(ana.page.locator('a.choice[href*="partners=1-2"]'))

    assert [box.input_value() for box in ana.page.locator("#pad [name=partner]:checked").all()] == ["1", "2"]
    ana.page.locator('#pad [name="monster"][value="4"]').check(force=True)
    ana.tap("Name the teams")
    ana.find_line()
    at_version(ana, 2)
    expect(ana.page.locator(".winner")).to_have_count(5)

    lose_line(ana)
    for name, captured in (("Ben", 1), ("Ana", 0), ("Ben", 0)):
        ana.page.locator(f'button[name="trick"][value="{ana.names.index(name)}:{captured}"]').tap()
    waits(ana, 3)
    assert ana.page.locator(".winner").nth(1).locator("[data-won]").all_inner_texts() == ["2", "1"]
    assert ana.page.locator(".winner").nth(0).locator("[data-won]").all_inner_texts() == ["1", "0"]
    # The head and the leader go on with what waits.
    expect(ana.page.locator(".progress b")).to_have_text("3 of 12 tricks")
    expect(ana.page.locator(".tricks .cols span").first).to_have_text("Who wins trick 4? Ben leads.")
    expect(ana.page.locator(".is-leading bdi")).to_have_text("Ben")
    ana.find_line()
    at_version(ana, 5)
    nothing_waits(ana)
    assert ana.page.locator(".winner").nth(1).locator("[data-won]").all_inner_texts() == ["2", "1"]


def test_offline_nothing_moves_the_turn_goes_on_and_a_link_waits_for_the_line(device: Devices) -> None:
    (ana,) = sit_down(device, others=0)
    spaces = places(ana.page, ".space")

    lose_line(ana)
    tap_offline(ana, "trump", "red")
    assert (ana.turn, ana.markers_left) == ("Ana", {"Cleo": 5, "Ana": 6, "Ben": 6})
    tap_offline(ana, "trump", "blue")
    assert ana.turn == "Ben"
    tap_offline(ana, "trump", "black")
    # The disc of the player whose marker waits; undo names what it takes back, although nothing is recorded yet.
    expect(ana.space("trump", "black").locator(".marker")).to_have_text("B")
    expect(ana.page.locator(".undo button")).to_have_text("Undo: Ben covered black trump (not sent)")
    # The message has left the buttons at the thumb; its word stays there.
    expect(ana.page.locator("#line")).not_to_have_class(re.compile("is-new"))
    expect(ana.page.locator("#line b")).to_have_text("Offline 3")
    ana.page.locator(".undo button").tap()
    expect(ana.page.locator(".turn b")).to_have_text("Ben")
    ana.tap("Sheet")

    expect(ana.page.locator("#line summary")).to_contain_text(
        "Offline. Your 2 taps are safe. The page opens once you are online."
    )
    assert places(ana.page, ".space") == spaces
    ana.find_line()
    ana.page.wait_for_url("**/sheet/")
    ana.go("")
    at_version(ana, 2)


def test_offline_a_token_that_is_covered_is_ones_own_or_another_ones(device: Devices) -> None:
    (ana,) = sit_down(device, others=0)
    lose_line(ana)

    for token, said in (("Cleo", "Cleo covered their own token"), ("Ben", "Ana covered Ben’s token")):
        tap_offline(ana, "start", token)
        expect(ana.page.locator(".undo button")).to_have_text(f"Undo: {said} (not sent)")


def test_tricks_can_wait_as_well_and_undo_takes_back_what_waits(device: Devices) -> None:
    ana = device()
    ana.new_table("njet-english", NAMES, dealer="Cleo")
    ana.note_board(start="Ana", discard="njet", trump="njet", supertrump="njet", points="2")
    ana.name_team("Ben")
    ana.count_trick_by_trick()
    lose_line(ana)
    for tricks in (1, 2, 3):
        ana.page.locator('button[name="trick"][value="0:0"]').tap()
        waits(ana, tricks)
        # A second tap right after the first is taken for the same one.
        ana.page.wait_for_timeout(300)

    ana.page.locator(".undo button").tap()
    waits(ana, 2)
    ana.find_line()

    at_version(ana, 4)
    assert ana.progress.startswith("2 of 16 tricks")


def phone_of_a_restarting_server(chromium: Browser, port: int) -> tuple[Phone, Watch]:
    """A phone of its own, which may complain of the time without a server."""
    address = f"http://127.0.0.1:{port}"
    context = chromium.new_context(base_url=address, has_touch=True, is_mobile=True, viewport=vars(PHONE))
    phone = phone_of(context, address)
    phone.watch.forgive(
        "ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_EMPTY"
    )
    return phone, phone.watch


def test_a_server_that_restarts_in_mid_round_loses_no_tap(chromium: Browser, first_start: Path, tmp_path: Path) -> None:
    with Server(shutil.copytree(first_start, tmp_path / "data")) as server:
        port = server.port
        ana, watch = phone_of_a_restarting_server(chromium, port)
        ana.new_table("njet-english", NAMES, dealer="Cleo")
        ana.begin_placing()
        ana.cover("trump", "red")
        server.process.kill()
        server.process.wait()
        tap_offline(ana, "trump", "blue")
        tap_offline(ana, "points", "1")
        waits(ana, 2)

    with Server(tmp_path / "data", bind=f"127.0.0.1:{port}"):
        # The port is there before the application behind it.
        at_version(ana, 3, patience=3 * PATIENCE)
        nothing_waits(ana)
        is_live(ana)
        ana.page.context.close()
    assert watch.complaints == []


def test_a_phone_shows_the_restored_state_that_has_the_version_of_its_own(
    chromium: Browser, first_start: Path, tmp_path: Path
) -> None:
    data, backup = shutil.copytree(first_start, tmp_path / "data"), tmp_path / "backup"
    with Server(data) as server:
        port = server.port
        ana, watch = phone_of_a_restarting_server(chromium, port)
        ana.new_table("njet-english", NAMES, dealer="Cleo")
        ana.begin_placing()
        ana.cover("trump", "red")
        at_version(ana, 1)
        assert manage(data, "backup", str(backup)).returncode == 0
        ana.cover("trump", "blue")
        at_version(ana, 2)
        server.end(signal.SIGTERM)

    assert manage(data, "restore", str(backup), "--force").returncode == 0
    with Server(data) as server:
        other = Visitor(
            server.port, {cookie["name"]: cookie["value"] for cookie in ana.page.context.cookies()}, ana.game_id, 1
        )
        assert other.cover("trump:black").status == 200

    with Server(data, bind=f"127.0.0.1:{port}"):
        expect(ana.space("trump", "black")).to_have_class("space is-covered", timeout=3 * PATIENCE)
        expect(ana.space("trump", "blue")).not_to_have_class("space is-covered")
        at_version(ana, 2)
        ana.page.context.close()
    assert watch.complaints == []


def test_where_events_do_not_arrive_the_page_polls(device: Devices) -> None:
    ana, ben = sit_down(device)
    ben.watch.forgive("Failed to load resource: net::ERR_FAILED")
    ben.page.route("**/live/**", lambda route: route.abort())
    ben.page.reload()

    ana.cover("trump", "red")

    at_version(ben, 1)
    button = ben.page.locator("#here-button")
    expect(button).to_have_text("2")


def test_a_silent_phone_is_away_for_the_others_and_knows_it_itself(device: Devices) -> None:
    ana, ben = sit_down(device)
    ben.lose_line()

    expect(ben.page.locator("#line summary")).to_contain_text("Offline", timeout=11_000)
    ben.page.locator("#line summary").tap()
    expect(ben.page.get_by_role("button", name="Retry")).to_be_visible()
    ana.page.locator("#here-button").tap()
    expect(ana.page.locator("#phones .is-away")).to_contain_text("away", timeout=15_000)
    ben.find_line()

    nothing_waits(ben)
    expect(ana.page.locator("#phones .is-away")).to_have_count(0)


def test_two_who_record_are_shown_to_each_other_and_no_one_is_locked_out(device: Devices) -> None:
    ana, ben = sit_down(device)
    ana.cover("trump", "red")
    at_version(ben, 1)

    ben.cover("trump", "blue")

    expect(ana.page.locator("#both-toast")).to_contain_text("Ben records too")
    expect(ben.page.locator("#both-toast")).to_be_visible()
    at_version(ana, 2)
    ana.cover("points", "1")
    expect(ana.page.locator("#both-toast")).to_be_hidden()


def test_a_viewer_sees_every_tap_and_records_nothing(device: Devices) -> None:
    ana, ben = sit_down(device, role="viewer")

    ana.cover("trump", "red")

    at_version(ben, 1)
    expect(ben.page.locator("#line")).to_be_hidden()
    expect(ben.page.locator(".undo")).to_be_hidden()


def test_a_phone_whose_key_is_taken_back_sees_the_refusal(device: Devices) -> None:
    ana, ben = sit_down(device)

    ana.go("phones/")
    ana.page.locator('form[action$="/revoke/"] button').last.tap()

    expect(ben.page.locator("#table")).to_have_count(0)


def test_what_a_phone_says_of_its_line_is_fit_to_show(device: Devices) -> None:
    ana, ben = sit_down(device)
    ana.cover("trump", "red")
    at_version(ben, 1)
    ben.cover("trump", "blue")
    at_version(ana, 2)
    ana.page.locator("#here-button").tap()
    found = flaws(ana, "who-is-here")
    ana.page.locator("#here .icon").tap()
    for phone in (ana, ben):
        lose_line(phone)
        tap_offline(phone, "points", "1")
        tap_offline(phone, "points", "-2")
    assert fits_without_scrolling(ana.page)
    ana.page.locator("#line summary").tap()
    found += flaws(ana, "waiting")
    ana.find_line()
    at_version(ana, 4)
    ben.find_line()
    expect(ben.page.get_by_role("button", name="Record them now")).to_be_visible()
    found += flaws(ben, "held")
    ben.tap("Record them now")
    expect(ben.page.locator("#line summary")).to_contain_text("Refused: 2.")
    found += flaws(ben, "refused")

    assert not found, "\n".join(found)


def test_the_pad_of_a_phone_offline_is_fit_to_show(device: Devices) -> None:
    ana = device()
    ana.new_table("njet-english", NAMES, dealer="Cleo")
    is_live(ana)
    ana.has_pad()
    expect(ana.page.locator("link[href*=rounds]")).to_have_count(1)
    lose_line(ana)
    found = flaws(ana, "pad-setup")
    ana.tap("Start placing")
    for row, space in BOARD[:-1]:
        tap_offline(ana, row, space)
    found += flaws(ana, "pad-board")
    ana.space(*BOARD[-1]).tap()
    ana.sees("Who plays with the start player?")
    found += flaws(ana, "pad-teams")
    ana.page.locator('#pad [name="partner"][value="1"]').check(force=True)
    ana.page.locator('#pad [name="monster"][value="2"]').check(force=True)
    ana.tap("Name the teams")
    ana.page.get_by_text("Whole round", exact=True).tap()
    expect(ana.page.locator('#pad [name="tricks-0"]')).to_be_visible()
    expect(ana.page.locator("#pad .keys")).to_be_visible()
    found += flaws(ana, "pad-count")

    assert not found, "\n".join(found)


def flaws(phone: Phone, name: str) -> list[str]:
    """What is wrong with the screen, in both themes; a picture of each is kept."""
    found = []
    for scheme in ("light", "dark"):
        phone.turn_into(PHONE, scheme)
        phone.show(ARTEFACTS / "live" / f"{name}-{scheme}.png", sharp=True)
        found += [f"{name}-{scheme}: {problem}" for problem in problems_of(phone.page)]
        # What else axe looks at is the same in any light.
        violations = violations_of(phone.page, only="" if scheme == "light" else CONTRAST)
        found += [f"{name}-{scheme}: {violation}" for violation in violations]
    return found
