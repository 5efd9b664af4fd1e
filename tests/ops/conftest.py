"""Data directories for servers. Knows that setting one up takes seconds, so it is done once and copied."""

import shutil
import signal
from pathlib import Path

import pytest

from tests.ops.running import Server


@pytest.fixture(scope="session")
def first_start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the very first start of a server leaves behind."""
    data = tmp_path_factory.mktemp("first") / "data"
    with Server(data) as server:
        assert server.get("/static/missing").status == 404
        assert server.end(signal.SIGINT) == 0
    return data


@pytest.fixture
def data(first_start: Path, tmp_path: Path) -> Path:
    return shutil.copytree(first_start, tmp_path / "data")
