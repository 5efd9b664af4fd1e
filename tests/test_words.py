"""The vocabulary of code, comments, docstrings and documents: plain technical English.

Texts that players read are not checked here, and neither are string literals in tests, which quote them.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

PLAIN = {
    r"anew": "again",
    r"bears|bearing|borne": "has, holds",
    r"bearers|(?:a|its|the|their) bearer|bearer's|bearer of": "key holder",
    r"(?<!rule )books?": "the group's totals",
    r"comes? to|came to": "is, results in",
    r"for ever": "permanently, forever",
    r"for good": "permanently",
    r"(?:gets?|got) to know": "receives",
    r"doors?": "access, refused",
    r"he|him|his|she|hers?": "they, them, their",
    r"in vain": "for nothing, without effect",
    r"kin": "subclasses",
    r"lately": "recently",
    r"meanwhile": "while …, since",
    r"moments?": "time, timestamp",
    r"no more(?! \w| \d)": "no longer",
    r"nobody('s)?": "no player, none",
    r"noughts?": "zeros",
    r"of then": "at that time",
    r"once more": "again",
    r"puts? right": "correct",
    r"signs": "characters",
    r"so many": "a number of, the number of",
    r"stands? (?:at nothing|there)": "is, is shown",
    r"to and fro": "back and forth",
    r"told": "shown, notified, listed",
    r"whatever": "for any, everything that",
    r"whoever|whomever": "the player who, any client that",
    r"without a line": "offline",
    r"worth nothing": "revoked, invalid",
}
"""Words that this repository does not use, and what it uses instead."""

REFUSED = re.compile(rf"\b(?:{'|'.join(PLAIN)})\b", re.IGNORECASE)

TRANSLATED = re.compile(r"(^|\.)(_|\w*gettext\w*)$")
"""The functions whose arguments are texts that players read."""

CHECKS_ITSELF = Path(__file__).resolve()


def modules(*patterns: str) -> list[Path]:
    """Our Python files of these patterns, without the migrations and this list of words."""
    found = sorted(path for pattern in patterns for path in ROOT.glob(pattern))
    return [path for path in found if "migrations" not in path.parts and path != CHECKS_ITSELF]


def test_the_code_uses_plain_words() -> None:
    assert not [*refused_in_python(modules("manage.py", "games/**/*.py", "njetassist/**/*.py"), quoting=False)]


def test_the_tests_use_plain_words() -> None:
    assert not [*refused_in_python(modules("tests/**/*.py"), quoting=True)]


def test_documents_scripts_and_style_sheets_use_plain_words() -> None:
    patterns = ("*.md", ".github/*.md", ".ci/run", "games/**/*.md", "static/njet/**/*.[cj]s*", "tests/**/*.md")
    refused = []
    for path in sorted(path for pattern in patterns for path in ROOT.glob(pattern)):
        refused += refused_in(path, enumerate(path.read_text(encoding="utf-8").splitlines(), start=1))
    assert not refused


def refused_in_python(paths: list[Path], *, quoting: bool) -> Iterator[str]:
    for path in paths:
        yield from refused_in(path, prose_of(path, quoting=quoting))


def refused_in(path: Path, lines: Iterable[tuple[int, str]]) -> Iterator[str]:
    """The refused words, each with its place and its line."""
    for number, line in lines:
        for found in REFUSED.finditer(line):
            yield f"{path.relative_to(ROOT)}:{number}: “{found[0]}” in “{line.strip()}”"


def prose_of(path: Path, *, quoting: bool) -> Iterator[tuple[int, str]]:
    """Comments, names and docstrings of a module; also its strings that are not translated, unless it quotes texts."""
    source = path.read_text(encoding="utf-8")
    if REFUSED.search(source.replace("_", " ")) is None:
        return
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
        elif token.type == tokenize.NAME:
            yield token.start[0], token.string.replace("_", " ")
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    docstrings = {node.value for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}
    translated = {
        inner
        for node in nodes
        if not quoting and isinstance(node, ast.Call) and TRANSLATED.search(ast.unparse(node.func))
        for inner in ast.walk(node)
    }
    for node in nodes:
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or node in translated:
            continue
        if node in docstrings or not quoting:
            for offset, line in enumerate(node.value.splitlines()):
                yield node.lineno + offset, line
