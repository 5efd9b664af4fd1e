"""Data directories for servers."""

import shutil
from pathlib import Path

import pytest


@pytest.fixture
def data(first_start: Path, tmp_path: Path) -> Path:
    return shutil.copytree(first_start, tmp_path / "data")
