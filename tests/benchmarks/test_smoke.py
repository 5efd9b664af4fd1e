"""Every benchmark starts as its README says and prints figures, here with the smallest numbers."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ops.running import ROOT, environment

BENCHMARKS = Path(__file__).parent
HELPERS = {"__init__", "bare", "bare_settings", "generated_games", "test_smoke"}
"""What benchmarks use and what cannot be started."""

SMALLEST = {
    "bots": ["1 --tables 1 --searching 1 --unfinished 1"],
    "ladder": [
        "easy random --deals 1",
        "easy random --games 1 --rounds 1 --players 2",
        "flat@0.001 strong@0.001cpu --deals 1",
    ],
    "large_group": ["20 --repeats 1"],
    "phones": ["40 --seconds 1 --tables 1 --repeats 1", "streams --seconds 0.2 --tables 2"],
    "playouts": ["1"],
    "stepping": ["1"],
    "throughput": ["0.1 --repeats 1"],
    "write_queue": ["0.2 --repeats 1"],
}
"""For each benchmark the arguments of its smallest runs."""

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
    assert "Traceback" not in done.stdout + done.stderr


def test_every_benchmark_has_a_smallest_run_and_a_line_in_the_readme() -> None:
    modules = {path.stem for path in BENCHMARKS.glob("*.py")} - HELPERS
    readme = (BENCHMARKS / "README.md").read_text()

    assert modules == set(SMALLEST) == set(re.findall(r"^- `(\w+)`", readme, re.MULTILINE))


def test_no_benchmark_hides_a_module_of_the_standard_library() -> None:
    assert not {path.stem for path in BENCHMARKS.glob("*.py")} & sys.stdlib_module_names
