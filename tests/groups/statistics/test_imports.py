"""The arrows of this package: the rules, the standard library, and one library in one module."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import games.groups.statistics

PACKAGE = Path(games.groups.statistics.__file__).parent
IMPURE = {"asyncio", "datetime", "io", "logging", "os", "pathlib", "random", "secrets", "socket", "sys", "time", "uuid"}


def _imported(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports relatively: the arrows could not be read"
            names.add(node.module or "")
    return names


@pytest.mark.parametrize("path", sorted(PACKAGE.glob("*.py")), ids=lambda path: path.name)
def test_the_statistics_import_the_rules_and_the_standard_library_and_only_the_ratings_openskill(path: Path) -> None:
    ours = ("games.rules", "games.groups.statistics")

    others = {name for name in _imported(path) if not name.startswith(ours)}

    allowed = sys.stdlib_module_names | ({"openskill"} if path.name == "ratings.py" else set())
    assert {name.split(".")[0] for name in others} <= allowed - IMPURE


def test_importing_the_statistics_does_not_load_django_and_figures_do_not_load_the_library() -> None:
    script = (
        "import sys, games.groups.statistics.summary\n"
        "assert 'openskill' not in sys.modules\n"
        "import games.groups.statistics.ratings\n"
        "assert 'django' not in sys.modules\n"
    )

    done = subprocess.run([sys.executable, "-c", script], cwd=PACKAGE.parents[2], capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (0, "")
