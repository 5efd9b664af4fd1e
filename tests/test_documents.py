"""The documents of the repository are true: what they cite exists, and what they list is what the code has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.management import get_commands

from games.rules.editions import THREE_RANKS
from games.rules.options import OPTIONS
from tests.rules.tables import RULES, table_below
from tests.test_architecture import PACKAGES

ROOT = Path(__file__).resolve().parent.parent

ARCHITECTURE = ROOT / "games" / "ARCHITECTURE.md"
CONTRIBUTING = ROOT / ".github" / "CONTRIBUTING.md"
OPERATIONS = ROOT / ".github" / "OPERATIONS.md"
SECURITY = ROOT / ".github" / "SECURITY.md"
README = ROOT / "README.md"
GUIDES = (README, ARCHITECTURE, CONTRIBUTING, OPERATIONS, SECURITY, RULES)


FOLDERS_OF_OURS = (".ci", ".github", "games", "njetassist", "static", "templates", "tests")
FILES = sorted(
    str(path.relative_to(ROOT))
    for pattern in ("*", *(f"{folder}/**/*" for folder in FOLDERS_OF_OURS))
    for path in ROOT.glob(pattern)
    if path.is_file() and not {"__pycache__", "artefacts"} & set(path.parts)
)
TEXTS = [name for name in FILES if Path(name).suffix in {".css", ".html", ".js", ".md", ".py", ".toml", ".txt"}]
FOLDERS = {str(parent) for name in FILES for parent in Path(name).parents}
DOCUMENTS = {Path(name).name: ROOT / name for name in FILES if name.endswith(".md")}


@cache
def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


# --- citations ---

CITATION = re.compile(
    r"(?:(?P<document>\w+\.md)\b)?[`)]*,?\s*\b[Ss]ections?\s+"
    r"(?P<numbers>\d[\d.]*(?:(?:,|–| and| to)\s*\d[\d.]*)*)"
)
HEADING = re.compile(r"^#{2,4} (?P<number>\d+(?:\.\d+)*)\.? ", re.MULTILINE)


@cache
def sections_of(path: Path) -> set[str]:
    """The numbers of a document's headings."""
    return {found["number"] for found in HEADING.finditer(path.read_text(encoding="utf-8"))}


def test_every_document_that_is_named_is_in_the_repository() -> None:
    missing = []
    for name in TEXTS:
        for found in re.finditer(r"\b[\w-]+\.md\b", read(name)):
            if found[0] not in DOCUMENTS:
                missing.append(f"{name}: {found[0]}")
    assert not missing


def test_every_section_that_is_cited_has_a_heading() -> None:
    """A section without a document is one of the document that cites it, in code one of RULES.md."""
    missing = []
    for name in TEXTS:
        for found in CITATION.finditer(read(name)) if "ection" in read(name) else ():
            own = ROOT / name if name.endswith(".md") else RULES
            document = DOCUMENTS.get(found["document"], own) if found["document"] else own
            for number in re.findall(r"\d+(?:\.\d+)*", found["numbers"]):
                if number not in sections_of(document):
                    missing.append(f"{name}: {document.name} section {number}")
    assert not missing


# --- what the guides name ---

CODE = re.compile(r"`([^`\n]+)`")
BLOCK = re.compile(r"^```\w*\n(.*?)^```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\[[^\]]+\]\((?P<target>[^)#\s]+)(?:#[^)]*)?\)")
DOTTED = re.compile(r"`((?:games|njetassist|tests)(?:\.\w+)+)`")
"""A name of a module of ours, or of something in it, with its backticks."""
NO_MODULES = (".css", ".html", ".js", ".md", ".po", ".py", ".txt")
MODULES = {re.sub(r"/__init__$", "", name[: -len(".py")]) for name in FILES if name.endswith(".py")} | FOLDERS
TEXTS_WITH_NAMES = [name for name in TEXTS if DOTTED.search(read(name))]
TOP = tuple(sorted({Path(name).parts[0] for name in FILES}))


def code_in(path: Path) -> Iterator[str]:
    """The words in code spans and code blocks of a document."""
    text = path.read_text(encoding="utf-8")
    for span in (*BLOCK.findall(text), *CODE.findall(BLOCK.sub("", text))):
        yield from re.split(r"[\s\"'();]+", span)


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=name_of)
def test_every_path_exists(document: Path) -> None:
    """`<name>` in a path stands for any name."""
    known = {*FILES, *FOLDERS}
    missing = []
    for word in code_in(document):
        path = re.sub(r"::.*$|:\d+$|/$", "", word.rstrip(",.:"))
        if not path.startswith(tuple(f"{top}/" for top in TOP)) and path not in TOP:
            continue
        if any(mark in path for mark in "<*"):
            pattern = re.compile(
                re.sub(r"<\w+>|\\\*+", "[^/]+", re.escape(path).replace("\\<", "<").replace("\\>", ">"))
            )
            if not any(pattern.fullmatch(name) for name in known):
                missing.append(path)
        elif path not in known:
            missing.append(path)
    assert not missing


def test_every_path_in_a_docstring_or_comment_exists() -> None:
    missing = []
    for name in TEXTS:
        for path in re.findall(r"`((?:games|njetassist|static|templates|tests)/[\w./-]+)`", read(name)):
            if path.rstrip("/") not in {*FILES, *FOLDERS} and not path.startswith("tests/artefacts/"):
                missing.append(f"{name}: {path}")
    assert not missing


def resolves(dotted: str) -> bool:
    """Whether a dotted name of ours is a module, or something in one, as deep as a method of a class."""
    module, *rest = dotted.split(".")
    while rest and f"{module}.{rest[0]}".replace(".", "/") in MODULES:
        module = f"{module}.{rest.pop(0)}"
    if not rest:
        return True
    value: object = import_module(module)
    try:
        for name in rest:
            value = getattr(value, name)
    except AttributeError:
        return False
    return True


@pytest.mark.parametrize("name", TEXTS_WITH_NAMES)
def test_every_dotted_name_of_ours_exists(name: str) -> None:
    """Those in documents, docstrings and comments; in code a name that does not exist is found by mypy."""
    text = read(name)
    named = {found for found in DOTTED.findall(text) if not found.endswith(NO_MODULES)}

    assert not {dotted for dotted in named if not resolves(dotted)}


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=name_of)
def test_every_link_leads_to_a_file(document: Path) -> None:
    targets = LINK.findall(document.read_text(encoding="utf-8"))
    assert not [
        target for target in targets if "://" not in target and not (document.parent / target).resolve().exists()
    ]


@dataclass(frozen=True)
class Row:
    """A row of a table that names a module and functions of it."""

    path: str
    names: tuple[str, ...]


def rows_of(path: Path) -> Iterator[Row]:
    """Rows like: | `games/log/store.py` | `append`, `Ledger.seen_by` | … |."""
    for found in re.finditer(
        r"^\| `(?P<path>[\w/]+\.py)` \| (?P<names>[^|]+) \|", path.read_text(encoding="utf-8"), re.MULTILINE
    ):
        yield Row(found["path"], tuple(CODE.findall(found["names"])))


@pytest.mark.parametrize("document", [ARCHITECTURE, CONTRIBUTING], ids=name_of)
def test_every_function_is_where_a_table_says(document: Path) -> None:
    missing = []
    for row in rows_of(document):
        source = read(row.path)
        for name in row.names:
            last = re.escape(name.split(".")[-1])
            if not re.search(rf"(?:def|class) {last}\b|^\s*{last}\b\s*[:=]", source, re.MULTILINE):
                missing.append(f"{row.path}: {name}")
    assert not missing


def test_every_command_of_manage_py_exists() -> None:
    named = {
        found for document in GUIDES for found in re.findall(r"manage\.py (\w+)", document.read_text(encoding="utf-8"))
    }
    assert named <= set(get_commands())


def test_the_architecture_names_the_htmx_that_runs() -> None:
    script = Path(finders.find("django_htmx/htmx-4.min.js") or "").read_text(encoding="utf-8")

    (release,) = re.findall(r'this\.version="([^"]+)"', script)

    assert f"htmx {release}," in ARCHITECTURE.read_text(encoding="utf-8")


def test_every_marker_of_the_tests_exists() -> None:
    known = set(re.findall(r'^    "(\w+): ', read("pyproject.toml"), re.MULTILINE))
    for document in (README, CONTRIBUTING):
        for expression in re.findall(r'pytest[^`\n]* -m (?:"([^"]+)"|(\w+))', document.read_text(encoding="utf-8")):
            assert set(re.findall(r"\w+", " ".join(expression))) - {"and", "not", "or"} <= known


# --- RULES.md ---


def test_the_rules_list_every_option_with_its_values() -> None:
    listed = {row[0].strip("`"): set(CODE.findall(row[1])) for row in table_below("### 2.1 Options")[1:]}

    for name, option in OPTIONS.items():
        assert name in listed, f"RULES.md section 2.1 lacks `{name}`"
        if not option.is_number and not option.is_boolean:
            # Of the choices of three ranks the one that is usual, and the rest in words.
            values = {str(value) for value in option.names if value not in list(THREE_RANKS)[1:]}
            assert listed[name] == values, f"RULES.md section 2.1: values of `{name}`"
    assert list(listed) == list(OPTIONS), "RULES.md section 2.1 has another order than games/rules/options.py"


# --- ARCHITECTURE.md ---


def test_the_architecture_lists_the_packages_and_their_imports() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ", ARCHITECTURE.read_text(encoding="utf-8"), re.MULTILINE)
    listed = {name: set(CODE.findall(imports)) for name, imports in rows if name in PACKAGES}

    assert listed == PACKAGES


def test_the_architecture_names_the_folders_of_the_tests_that_games_does_not_have() -> None:
    named = set(re.findall(r"`tests/(\w+)`", ARCHITECTURE.read_text(encoding="utf-8")))
    folders = {Path(name).parts[1] for name in FILES if name.startswith("tests/") and len(Path(name).parts) > 2}

    assert {folder for folder in folders if f"games/{folder}" not in FOLDERS} <= named


# --- SECURITY.md ---

ASVS = """
1.1 2; 1.2 9; 1.3 11; 1.4 3; 1.5 2; 2.1 3; 2.2 3; 2.3 4; 2.4 1; 3.2 2; 3.3 4; 3.4 6; 3.5 5; 3.7 2; 4.1 3; 4.2 1; 4.3 2;
4.4 4; 5.1 1; 5.2 3; 5.3 2; 5.4 3; 6.1 3; 6.2 12; 6.3 4; 6.4 4; 6.5 5; 6.6 3; 6.8 4; 7.1 3; 7.2 4; 7.3 2; 7.4 5; 7.5 2;
7.6 2; 8.1 2; 8.2 3; 8.3 1; 8.4 1; 9.1 3; 9.2 4; 10.1 2; 10.2 2; 10.3 4; 10.4 11; 10.5 5; 10.6 2; 10.7 3; 11.1 2;
11.2 3; 11.3 3; 11.4 4; 11.5 1; 11.6 1; 12.1 3; 12.2 2; 12.3 4; 13.1 1; 13.2 5; 13.3 2; 13.4 5; 14.1 2; 14.2 4; 14.3 3;
15.1 3; 15.2 3; 15.3 7; 16.1 1; 16.2 5; 16.3 4; 16.4 3; 16.5 3; 17.1 1; 17.2 4; 17.3 2
"""
"""How many requirements of levels 1 and 2 each group of OWASP ASVS 5.0.0 has; those of level 3 follow them."""


def test_every_requirement_of_asvs_is_answered_once() -> None:
    groups = [group.split() for group in ASVS.split(";")]
    wanted = [f"{group}.{number}" for group, count in groups for number in range(1, int(count) + 1)]
    rows = re.findall(r"^\| (\d[\d., ]*) \| [12, ]+ \| (.*) \|", SECURITY.read_text(encoding="utf-8"), re.MULTILINE)

    assert sorted(number for numbers, _ in rows for number in numbers.split(", ")) == sorted(wanted)
    for numbers, answer in rows:
        assert answer.startswith(("Met", "Partly", "Not met, on purpose", "Not applicable: ", "Operator")), numbers
