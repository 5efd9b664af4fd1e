"""Every benchmark starts as its README says and prints figures, here with the smallest numbers."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks.__main__ import BENCHMARKS, Benchmark, Target, rows_of, table
from tests.benchmarks.figures import figures_in
from tests.ops.running import ROOT, environment

FOLDER = Path(__file__).parent
HELPERS = {"__init__", "__main__", "bare", "bare_settings", "figures", "generated_games", "test_smoke"}
"""What benchmarks use and what cannot be started."""

SMALLEST = {
    "analysis": ["--games 1 --rounds 1 --guesses 1 --players 3"],
    "calibration": ["easy --games 2 --players 3"],
    "bots": ["1 --tables 1 --searching 1 --unfinished 1"],
    "ladder": [
        "easy .:easy --games 1 --pairs --last",
        "easy random --deals 1",
        "easy random --games 1 --rounds 1 --players 2",
        "flat@0.001 strong@0.001cpu --deals 1",
        "medium strong@1g --deals 1",
    ],
    "fold": ["1"],
    "large_group": ["20 --repeats 1"],
    "motion": ["1 --rates 1"],
    "phones": ["40 --seconds 1 --tables 1 --repeats 1", "streams --seconds 0.2 --tables 2"],
    "playouts": ["1"],
    "positions": ["easy --seeds 1 --missed"],
    "start": ["--repeats 1"],
    "stepping": ["1"],
    "throughput": ["0.1 --repeats 1"],
    "weight": [""],
    "whole_group": ["3"],
    "write_queue": ["0.2 --repeats 1"],
}
"""For each benchmark the arguments of its smallest runs."""

OF_RIVALS = {"fold", "playouts"}
"""Those whose figures are ratios to packages that these tests do not install."""

FIGURE = r"\d+(\.\d+)?"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "arguments"), [(name, arguments) for name, runs in SMALLEST.items() for arguments in runs]
)
def test_a_benchmark_prints_figures(name: str, arguments: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", f"tests.benchmarks.{name}", *arguments.split()],
        cwd=ROOT,
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert re.search(FIGURE, done.stdout)
    assert "× tap" not in done.stdout, "taps were refused or not answered"
    assert "Traceback" not in done.stdout + done.stderr
    if name in BENCHMARKS.keys() - OF_RIVALS and arguments == SMALLEST[name][0]:
        assert figures_in(done.stdout).keys() & BENCHMARKS[name].figures.keys()


def test_the_table_shows_each_figure_with_its_target_and_what_was_missed() -> None:
    figures = {"fast, ms": Target(most=5), "rate": Target(least=60), "shown": Target(), "other": Target(most=1)}
    printed = "= fast, ms: 4.5\n= rate: 12\nthe machine was busy\n= rate: 20\n= rate: 90\n= shown: 1.2e+06\n"

    rows = rows_of(Benchmark(["1"], figures), printed, 1.25)

    assert table([*rows]).splitlines() == [
        "| what     | to reach | measured     |        | load average |",
        "|----------|----------|--------------|--------|--------------|",
        "| fast, ms | ≤ 5      | 4.5          |        | 1.2          |",
        "| rate     | ≥ 60     | 20           | MISSED | 1.2          |",
        "| shown    |          | 1.2e+06      |        | 1.2          |",
        "| other    | ≤ 1      | not measured |        |              |",
    ]


def test_every_benchmark_of_the_table_can_be_started() -> None:
    modules = {benchmark.module or name for name, benchmark in BENCHMARKS.items()}

    assert modules <= SMALLEST.keys()


def test_every_benchmark_has_a_smallest_run_and_a_line_in_the_readme() -> None:
    modules = {path.stem for path in FOLDER.glob("*.py")} - HELPERS
    readme = (FOLDER / "README.md").read_text()

    assert modules == set(SMALLEST) == set(re.findall(r"^- `(\w+)`", readme, re.MULTILINE))


def test_no_benchmark_hides_a_module_of_the_standard_library() -> None:
    assert not {path.stem for path in FOLDER.glob("*.py")} & sys.stdlib_module_names
