"""The shape of the rules: who may import whom, and that nothing changes once it is made; how fixed sets are stored."""

import ast
import importlib
import pkgutil
import subprocess
import sys
from dataclasses import is_dataclass
from enum import Enum
from pathlib import Path

import pytest

import games.rules
from games.rules.dealing import Form

RULES = Path(games.rules.__file__).parent
ROOT = RULES.parent.parent
IMPURE = {
    "asyncio", "builtins", "datetime", "http", "io", "logging", "multiprocessing", "os", "pathlib", "random", "secrets",
    "shutil", "signal", "socket", "sqlite3", "subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid",
}  # fmt: skip

CLASSES = [
    each
    for module in pkgutil.iter_modules(games.rules.__path__, "games.rules.")
    for each in vars(importlib.import_module(module.name)).values()
    if isinstance(each, type) and each.__module__ == module.name
]
DATACLASSES = [each for each in CLASSES if is_dataclass(each)]
FIXED_SETS = [each for each in CLASSES if issubclass(each, Enum) and each is not Form]


def _imported(path: Path) -> set[str]:
    """The modules that a file imports, wherever in the file."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports relatively: the arrows could not be read"
            names.add(node.module or "")
    return names


@pytest.mark.parametrize("path", sorted(RULES.rglob("*.py")), ids=lambda path: path.relative_to(RULES).as_posix())
def test_the_rules_import_nothing_but_the_standard_library_and_themselves(path: Path) -> None:
    imported = _imported(path)

    others = {name for name in imported if name != "games.rules" and not name.startswith("games.rules.")}

    assert {name.split(".")[0] for name in others} <= sys.stdlib_module_names


@pytest.mark.parametrize("path", sorted(RULES.rglob("*.py")), ids=lambda path: path.relative_to(RULES).as_posix())
def test_the_rules_know_no_clock_no_randomness_and_no_files(path: Path) -> None:
    imported = _imported(path)

    impure = {name.split(".")[0] for name in imported} & IMPURE

    assert not impure


def test_importing_the_rules_does_not_load_django() -> None:
    script = (
        "import sys, games.rules\n"
        "assert 'django' not in sys.modules\n"
        "loaded = {name for name in sys.modules if name.split('.')[0] in ('games', 'njetassist')}\n"
        "assert all(name == 'games' or name.startswith('games.rules') for name in loaded), loaded\n"
    )

    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")


def test_the_public_names_are_all_there() -> None:
    names = games.rules.__all__

    assert len(names) == len(set(names))
    assert all(hasattr(games.rules, name) for name in names)


@pytest.mark.parametrize("kind", DATACLASSES, ids=lambda kind: kind.__qualname__)
def test_nothing_of_the_rules_can_be_changed_once_it_is_made(kind: type) -> None:
    assert kind.__dataclass_params__.frozen, "states are shared: whoever changed one would change them all"
    assert "__slots__" in vars(kind), "no attribute can be added; a game has thousands of them"


@pytest.mark.parametrize("kind", FIXED_SETS, ids=lambda kind: kind.__qualname__)
def test_logs_and_pages_name_the_values_of_a_fixed_set_as_the_rules_do(kind: type[Enum]) -> None:
    names = {member.name.lower() for member in kind}

    assert {member.value for member in kind} == names
