"""How evenly cards move at the digital table, on a processor as it is and on one six times as slow.

`python -m tests.benchmarks.motion [TRICKS] [--rates 1 6]`

One person plays against three easy bots in a real Chromium (`CHROMIUM` names the program); the bots are quick.  A trace
of the tricks says when the compositor moved something and when frames were presented.  *frame*: the time between two
presented frames while something moved.  Chromium slows the thread that runs scripts, lays out and paints, and
`requestAnimationFrame` would measure that thread alone: only transforms and opacities change here, which the compositor
draws independently of that thread.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import expect, sync_playwright

from tests.benchmarks.figures import show_figure
from tests.browser.engines import CHROMIUM, CHROMIUM_ARGUMENTS
from tests.browser.hand import Hand
from tests.browser.phone import PATIENCE, Phone
from tests.browser.sizes import LARGE_PHONE
from tests.browser.watching import Watch
from tests.harness.serving import Serving

SMOOTH = 32.0
"""A longer frame than this, in milliseconds, is seen."""

LENGTH = 200
"""The milliseconds of a motion of a card.  The trace tells when a motion begins, and not always when it ends."""

PRESENTED = "SwapEndToPresentationCompositorFrame"
CATEGORIES = "cc,benchmark,viz"

Event = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description="How evenly cards move at the digital table.")
    parser.add_argument("tricks", nargs="?", type=int, default=6)
    parser.add_argument("--rates", nargs="+", type=int, default=[1, 6])
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory, sync_playwright() as playwright:
        expect.set_options(timeout=3 * PATIENCE)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_ARGUMENTS)
        with Serving(Path(directory) / "data", NJET_BOT_PAUSE="400") as server:
            address = f"http://127.0.0.1:{server.port}"
            for rate in asked.rates:
                context = browser.new_context(
                    base_url=address,
                    viewport=vars(LARGE_PHONE),
                    device_scale_factor=2,
                    is_mobile=True,
                    has_touch=True,
                    reduced_motion="reduce",
                )
                phone = Phone(context.new_page(), address, Watch(context, address))
                show(f"{rate} times slower" if rate > 1 else "not slowed", trace(phone, rate, asked.tricks))
                context.close()
        browser.close()


def trace(phone: Phone, rate: int, tricks: int) -> list[Event]:
    """The events of a number of tricks against three bots."""
    page = phone.page
    phone.open("/new/?bots")
    phone.tap("Start")
    hand, devtools = Hand(phone), page.context.new_cdp_session(page)
    events: list[Event] = []
    ended: list[object] = []
    devtools.on("Tracing.dataCollected", lambda data: events.extend(data["value"]))
    devtools.on("Tracing.tracingComplete", lambda data: ended.append(data))
    played = 0
    while played < tricks:
        page.locator(".say.is-mine, form.board button.space:not([disabled])").first.wait_for()
        if phone.shows == "tricks":
            if not played:
                page.emulate_media(reduced_motion="no-preference")
                devtools.send("Emulation.setCPUThrottlingRate", {"rate": rate})
                devtools.send("Tracing.start", {"transferMode": "ReportEvents", "categories": CATEGORIES})
            played += 1
        hand.act()
    # The others play, and the trick goes to its winner.
    page.wait_for_timeout(4000)
    devtools.send("Tracing.end")
    while not ended:
        page.wait_for_timeout(50)
    return events


def show(name: str, events: Sequence[Event]) -> None:
    """Print the frames of a trace."""
    frames = sorted(frames_of(events))
    print(f"{name}: {len(frames)} frames, median {statistics.median(frames):.1f} ms, slowest {frames[-3:]}")
    show_figure(f"frames while cards move, {name}: share of at most {SMOOTH:g} ms, %", share_of_smooth(frames))
    show_figure(f"frames while cards move, {name}: the longest of a hundred, ms", frames[-1 - len(frames) // 100])


def share_of_smooth(frames: Sequence[float]) -> float:
    """In per cent."""
    return 100 * sum(frame <= SMOOTH for frame in frames) / len(frames)


def frames_of(events: Sequence[Event]) -> Iterator[float]:
    """The milliseconds between presented frames while something moved."""
    ends = (event for event in events if event["name"] == PRESENTED and event["ph"] == "e")
    shown = sorted(event["ts"] for event in ends)
    for began, ended in times_of_motion(events):
        within = [at for at in shown if began <= at <= ended]
        yield from ((later - at) / 1000 for at, later in itertools.pairwise(within))


def times_of_motion(events: Sequence[Event]) -> list[tuple[int, int]]:
    """When something moved, in microseconds: `LENGTH` from each beginning on; what overlaps is one time."""
    changes = [event for event in compositor_of(events) if event["args"]["Name"].startswith("Transform")]
    spans: list[tuple[int, int]] = []
    for began in (event["ts"] for event in changes if event["args"]["State"].endswith("->RUNNING")):
        ended = began + 1000 * LENGTH
        if spans and began <= spans[-1][1]:
            spans[-1] = (spans[-1][0], ended)
        else:
            spans.append((began, ended))
    return spans


def compositor_of(events: Sequence[Event]) -> list[Event]:
    """The changes of animations in the compositor, which draws their frames, in the order of time."""
    threads = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "Compositor"
    }
    changes = [event for event in events if event["name"] == "ElementAnimations::SetRunState"]
    return sorted(
        (event for event in changes if (event["pid"], event["tid"]) in threads), key=lambda event: int(event["ts"])
    )


if __name__ == "__main__":
    main()
