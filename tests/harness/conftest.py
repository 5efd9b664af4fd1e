"""What the harnesses share: data of a first start each, and the figures that they print at the end of a run."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

FIGURES = pytest.StashKey[list[str]]()

Report = Callable[[str], None]


@pytest.fixture
def data(first_start: Path, tmp_path: Path) -> Path:
    return shutil.copytree(first_start, tmp_path / "data")


@pytest.fixture
def report(request: pytest.FixtureRequest) -> Report:
    """Keeps a line for the end of the run."""
    return request.config.stash.setdefault(FIGURES, []).append


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    lines = config.stash.get(FIGURES, [])
    if lines:
        terminalreporter.section("figures of the harnesses")
        for line in lines:
            terminalreporter.write_line(line)
