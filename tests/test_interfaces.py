"""What the application uses of other packages is documented: no private name, no patched module, no internal class.

A new module of another package is added to `DOCUMENTED` after a look at the documents of the package.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

import games
import njetassist

ROOT = Path(__file__).resolve().parents[1]
OWN = {"games", "njetassist"}
DOCUMENTED_NAMES = {"_meta", "_default_manager", "_exit", "_"}
"""Documented by Django, and `os._exit` by Python; the last is the usual name of a translation."""

DOCUMENTED = [
    "PIL",
    "babel.messages.mofile",
    "babel.messages.pofile",
    "brotli",
    "dj_database_url",
    "font_source_sans_pro",
    "minify",
    "openskill.models",
    "pysqlite3",
    "rcssmin",
    "rjsmin",
    "segno",
    "uvicorn",
    "uvicorn_worker",
    "whitenoise.compress",
    "whitenoise.storage",
    "gunicorn.app.base",
    "django",
    "django.apps",
    "django.conf",
    "django.dispatch",
    "django.http",
    "django.http.response",
    "django.shortcuts",
    "django.contrib.sessions.backends.base",
    "django.contrib.sessions.backends.db",
    "django.contrib.sessions.models",
    "django.contrib.staticfiles",
    "django.contrib.staticfiles.finders",
    "django.core.checks",
    "django.core.exceptions",
    "django.core.files.storage",
    "django.core.files.uploadedfile",
    "django.core.management",
    "django.core.management.base",
    "django.core.management.commands",
    "django.core.paginator",
    "django.core.signing",
    "django.core.validators",
    "django.core.wsgi",
    "django.db",
    "django.db.models",
    "django.middleware.csrf",
    "django.middleware.locale",
    "django.middleware.security",
    "django.template",
    "django.template.loader",
    "django.template.loaders.filesystem",
    "django.templatetags.static",
    "django.urls",
    "django.utils",
    "django.utils.cache",
    "django.utils.decorators",
    "django.utils.feedgenerator",
    "django.utils.formats",
    "django.utils.functional",
    "django.utils.html",
    "django.utils.http",
    "django.utils.safestring",
    "django.utils.text",
    "django.utils.timesince",
    "django.utils.translation",
    "django.views",
    "django.views.decorators.cache",
    "django.views.decorators.http",
    "django.views.i18n",
    "django_tasks",
    "django_tasks_db.models",
    "drf_spectacular.extensions",
    "drf_spectacular.generators",
    "drf_spectacular.openapi",
    "drf_spectacular.types",
    "drf_spectacular.utils",
    "drf_spectacular.views",
    "rest_framework",
    "rest_framework.authentication",
    "rest_framework.exceptions",
    "rest_framework.fields",
    "rest_framework.negotiation",
    "rest_framework.parsers",
    "rest_framework.permissions",
    "rest_framework.renderers",
    "rest_framework.request",
    "rest_framework.response",
    "rest_framework.serializers",
    "rest_framework.throttling",
    "rest_framework.validators",
    "rest_framework.views",
    "rest_framework_dataclasses.serializers",
]
"""The modules of other packages that are imported."""

EXCEPTIONS = {
    ("njetassist/__init__.py", "sys.modules"): (
        "Django imports the module sqlite3 by its name, and that of most systems is too old for WAL. "
        "https://github.com/django/django/pull/7890 2026-11-27"
    ),
    ("games/api/serializers/fields.py", "_map_serializer_field"): (
        "Its author names it to describe a field by another one; there is no public function. "
        "https://github.com/tfranzel/drf-spectacular/issues/426 2026-11-27"
    ),
    ("games/api/serializers/fields.py", "_insert_field_validators"): (
        "The same: the bounds of a field within a field. "
        "https://github.com/tfranzel/drf-spectacular/issues/426 2026-11-27"
    ),
}
"""By file and name: the reason, the issue upstream and the date of the last look.  Three at most."""


@cache
def sources() -> list[tuple[str, ast.Module]]:
    """The files of the application, with their syntax."""
    files = [file for folder in sorted(OWN) for file in sorted((ROOT / folder).rglob("*.py"))]
    return [
        (file.relative_to(ROOT).as_posix(), ast.parse(file.read_text()))
        for file in files
        if "migrations" not in file.parts
    ]


@cache
def nodes_of(tree: ast.AST) -> tuple[ast.AST, ...]:
    """All of a syntax tree, walked once for all tests."""
    return tuple(ast.walk(tree))


def is_foreign(module: str) -> bool:
    """Whether a module is of another package, not of Python itself."""
    return module.partition(".")[0] not in OWN | set(sys.stdlib_module_names)


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__") and name not in DOCUMENTED_NAMES


def imports_of(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Module and name of each import from elsewhere; an empty name for a whole module."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Import):
            yield from ((each.name, "") for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from ((node.module, each.name) for each in node.names)


def private_imports(tree: ast.AST) -> Iterator[str]:
    for module, name in imports_of(tree):
        if module.partition(".")[0] not in OWN and any(map(is_private, [*module.split("."), name])):
            yield f"{module} {name}"


def own_private_names() -> set[str]:
    """The private names that the application itself defines, anywhere."""
    found: set[str] = set()
    for _file, tree in sources():
        for node in nodes_of(tree):
            match node:
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                    found.add(name)
                case ast.Name(id=name, ctx=ast.Store()):
                    found.add(name)
                case ast.Attribute(attr=name, ctx=ast.Store(), value=ast.Name(id="self" | "cls")):
                    found.add(name)
    return {name for name in found if is_private(name)}


def private_attributes(tree: ast.AST, own: set[str]) -> Iterator[str]:
    """Private attributes that are read or called and that the application does not define; all of `super()`."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Attribute) and is_private(node.attr):
            of_base = isinstance(node.value, ast.Call) and getattr(node.value.func, "id", "") == "super"
            if of_base or node.attr not in own:
                yield node.attr


def patches(tree: ast.AST) -> Iterator[str]:
    """Assignments to attributes of modules and classes from elsewhere, and to the table of modules."""
    imported = {
        (each.asname or each.name).partition(".")[0]
        for node in nodes_of(tree)
        if isinstance(node, ast.Import)
        or (isinstance(node, ast.ImportFrom) and node.module and not node.level and is_foreign(node.module))
        for each in node.names
    }
    for node in nodes_of(tree):
        targets = node.targets if isinstance(node, ast.Assign) else []
        for target in [part for each in targets for part in getattr(each, "elts", [each])]:
            written = ast.unparse(target)
            root = written.partition(".")[0]
            if isinstance(target, ast.Subscript) and ast.unparse(target.value) == "sys.modules":
                yield "sys.modules"
            elif isinstance(target, ast.Attribute) and root in imported:
                yield written


def refused(find: object) -> list[tuple[str, str]]:
    """What is found in the files, without the exceptions."""
    found = [(file, name) for file, tree in sources() for name in find(tree)]
    return [each for each in found if each not in EXCEPTIONS]


def test_no_private_name_is_imported() -> None:
    assert refused(private_imports) == []


def test_no_private_attribute_of_another_package_is_used() -> None:
    own = own_private_names()

    assert refused(lambda tree: private_attributes(tree, own)) == []


def test_nothing_of_another_package_is_patched() -> None:
    assert refused(patches) == []


def test_every_module_of_another_package_is_documented() -> None:
    used = {module for _file, tree in sources() for module, _name in imports_of(tree) if is_foreign(module)}

    assert sorted(used - set(DOCUMENTED)) == []
    assert sorted(set(DOCUMENTED) - used) == []


# --- what is inherited ---


SERVERS = ("asgi", "pages", "wsgi")
"""Modules without classes of that kind, which need a secret key."""


def modules() -> Iterator[ModuleType]:
    for package in (games, njetassist):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if ".migrations." not in found.name and found.name not in [f"njetassist.{name}" for name in SERVERS]:
                yield importlib.import_module(found.name)


def own_classes() -> set[type]:
    return {
        each
        for module in modules()
        for each in vars(module).values()
        if inspect.isclass(each) and each.__module__ == module.__name__
    }


@cache
def classes_in(file: str) -> dict[str, ast.ClassDef]:
    """The classes of a file by name.  `inspect.getsource` would parse the file again for each of them."""
    found: dict[str, ast.ClassDef] = {}
    waiting: list[tuple[str, ast.AST]] = [("", ast.parse(Path(file).read_text(encoding="utf-8")))]
    while waiting:
        around, node = waiting.pop(0)
        inner = around
        if isinstance(node, ast.ClassDef):
            found.setdefault(around + node.name, node)
            inner = f"{around}{node.name}."
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            inner = f"{around}{node.name}.<locals>."
        waiting += [
            (inner, child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt | ast.excepthandler)
        ]
    return found


def syntax_of(each: type) -> ast.ClassDef | None:
    """A class as it is written; None for one that is not written in Python."""
    try:
        file = inspect.getsourcefile(each)
    except TypeError:
        return None
    return classes_in(file).get(each.__qualname__) if file else None


@cache
def private_names_of(base: type) -> frozenset[str]:
    """The private names that a class from elsewhere has and sets."""
    written = syntax_of(base)
    if written is None:
        return frozenset()
    set_here = {node.attr for node in nodes_of(written) if isinstance(node, ast.Attribute)}
    return frozenset(name for name in set_here | set(vars(base)) if is_private(name))


def overridden(each: type) -> list[str]:
    """The private names of its bases from elsewhere that a class defines or uses."""
    bases = [base for base in each.__mro__ if is_foreign(base.__module__)]
    theirs = frozenset[str]().union(*map(private_names_of, bases))
    if not theirs:
        return []
    found = set()
    written = syntax_of(each)
    assert written is not None, each
    for node in nodes_of(written):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.add(name)
            case ast.Name(id=name, ctx=ast.Store()):
                found.add(name)
            case ast.Attribute(attr=name, value=ast.Name(id="self" | "cls")):
                found.add(name)
    return sorted(found & theirs)


def test_no_private_name_of_a_base_of_another_package_is_overridden_or_used() -> None:
    found = {f"{each.__module__}.{each.__qualname__}": overridden(each) for each in own_classes()}

    assert {name: names for name, names in found.items() if names} == {}


# --- the table, and the test itself ---


def test_there_are_three_exceptions_at_most_and_each_says_why() -> None:
    assert len(EXCEPTIONS) <= 3
    for reason in EXCEPTIONS.values():
        assert "https://" in reason
        assert reason[-10:].replace("-", "").isdigit()


@pytest.mark.parametrize(
    "source",
    [
        "from django.db.models.query import _thing",
        "import gunicorn._compat",
        "connection._execute()",
        "super()._save(name)",
        "import sys\nsys.modules['x'] = None",
        "from gunicorn import sock\nsock.BaseSocket.listens = True",
        "import a.b\na.b.c, other = 1, 2",
    ],
)
def test_what_is_planted_is_found(source: str) -> None:
    tree = ast.parse(source)

    assert [*private_imports(tree), *private_attributes(tree, set()), *patches(tree)]


def test_a_planted_override_is_found() -> None:
    from django.contrib.sessions.backends.db import SessionStore

    assert "_validate_session_key" in private_names_of(SessionStore.__mro__[1])
