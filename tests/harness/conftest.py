"""What the harnesses share: data of a first start, and the figures that they print at the end of a run."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.harness.serving import Serving

FIGURES = pytest.StashKey[list[str]]()

Report = Callable[[str], None]


@pytest.fixture(scope="session")
def first_start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the very first start leaves behind; it takes seconds, so it is done once and copied."""
    data = tmp_path_factory.mktemp("harness") / "data"
    with Serving(data) as serving:
        serving.end()
    for each in data.rglob("*"):
        # A socket cannot be copied, and nobody listens to it any more.
        if each.is_socket():
            each.unlink()
    return data


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
