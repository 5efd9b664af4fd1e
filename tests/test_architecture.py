"""The arrows between packages: which may import which, and which alone may write."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

MOST_FIELDS = 20


@dataclass(frozen=True)
class Module:
    """A module of the application, read and not imported."""

    name: str
    path: Path

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.path.read_text(encoding="utf-8"))

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All of its syntax, walked once for all tests."""
        return tuple(ast.walk(self.tree))

    @cached_property
    def imports(self) -> frozenset[str]:
        """The full name of each import, like `games.log.store.Ledger`, without those for type checkers only."""
        skipped = {inner for node in self.nodes if _is_type_checking(node) for inner in ast.walk(node)}
        nodes = [node for node in self.nodes if node not in skipped]
        plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        named = {
            f"{self._source(node)}.{alias.name}"
            for node in nodes
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        return frozenset(plain | named)

    @cached_property
    def imported_names(self) -> dict[str, str]:
        """The full name of what each imported name stands for here: `store` for `games.log.store`."""
        names = {}
        for node in self.nodes:
            if isinstance(node, ast.Import):
                # `import games.log.store` makes `games` known, and with a name of its own the module.
                names.update({alias.asname: alias.name for alias in node.names if alias.asname})
            if isinstance(node, ast.ImportFrom):
                names.update({alias.asname or alias.name: f"{self._source(node)}.{alias.name}" for alias in node.names})
        return names

    def uses(self, names: Set[str]) -> Iterator[str]:
        """Where one of these full names is used, under any name there: the name of the function or class."""
        for part in self.tree.body:
            if any(
                self._full_name(node) in names for node in ast.walk(part) if isinstance(node, ast.Name | ast.Attribute)
            ):
                yield f"{self.name}.{getattr(part, 'name', '')}".rstrip(".")

    def _full_name(self, node: ast.expr) -> str:
        match node:
            case ast.Name():
                return self.imported_names.get(node.id, node.id)
            case ast.Attribute():
                return f"{self._full_name(node.value)}.{node.attr}"
            case _:
                return ""

    def imported_from(self, package: str) -> set[str]:
        """The imports that lie in a package, or are it."""
        return {name for name in self.imports if within(name, package)}

    def _source(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = self.name.split(".") if self.path.name == "__init__.py" else self.name.split(".")[:-1]
        above = parts[: len(parts) - node.level + 1]
        return ".".join([*above, *([node.module] if node.module else [])])


def _is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def within(name: str, package: str) -> bool:
    return name == package or name.startswith(f"{package}.")


@cache
def modules_of(*packages: str) -> list[Module]:
    """The modules of some packages, the packages themselves included."""
    if packages != ("games",):
        return [module for module in modules_of("games") if any(within(module.name, each) for each in packages)]
    found = []
    for path in sorted(ROOT.glob("games/**/*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found.append(Module(name, path))
    return found


@cache
def calls(module: Module) -> tuple[str, ...]:
    """What is called, as it is written: `Game.objects.filter(...).update`."""
    return tuple(ast.unparse(node.func) for node in module.nodes if isinstance(node, ast.Call))


APPLICATION = [module for module in modules_of("games") if not within(module.name, "games.migrations")]


# --- the rules ---

IMPURE = {
    *("asyncio", "datetime", "io", "locale", "logging", "multiprocessing", "os", "pathlib", "random", "secrets"),
    *("shutil", "socket", "sqlite3", "subprocess", "tempfile", "threading", "time", "urllib", "uuid"),
}


def test_the_rules_import_the_standard_library_and_themselves() -> None:
    for module in modules_of("games.rules"):
        foreign = {
            name
            for name in module.imports
            if not within(name, "games.rules") and name.split(".")[0] not in sys.stdlib_module_names
        }
        assert not foreign, module.name


def test_the_rules_know_no_clock_no_chance_and_no_files() -> None:
    for module in modules_of("games.rules"):
        assert not {name.split(".")[0] for name in module.imports} & IMPURE, module.name
        assert not {"open", "print", "input"} & set(calls(module)), module.name


def test_importing_the_rules_loads_nothing_else() -> None:
    program = "import games.rules, sys; print(*{name.split('.')[0] for name in sys.modules})"

    loaded = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)

    assert not {"django", "rest_framework", "psycopg", "njetassist"} & set(loaded.stdout.split())
    assert "games" in loaded.stdout.split()


# --- who may import whom ---

PACKAGES = {
    "rules": set(),
    "fast_tricks": {"rules"},
    "bots": {"fast_tricks", "rules"},
    "models": set(),
    "database": set(),
    "log": {"database", "models", "rules"},
    "errors": {"log", "rules"},
    "keys": {"database", "errors", "models", "rules"},
    "live": {"models"},
    "texts": {"errors", "log", "rules"},
    "formats": {"bots", "errors", "log", "models", "rules", "texts"},
    "groups": {"errors", "formats", "log", "models", "rules", "texts"},
    "services": {"bots", "groups", "database", "errors", "formats", "keys", "live", "log", "models", "rules", "texts"},
    "bot_runner": {"bots", "database", "errors", "keys", "log", "models", "rules", "services"},
    "analysis": {"bot_runner", "bots", "database", "errors", "keys", "log", "models", "rules"},
}
"""What each package below the pages and the API may import, from the ground up."""

TOP = ("pages", "api", "management", "templatetags", "urls", "apps")


def package_of(module: str) -> str:
    """The part of a full name below `games`: `log` of `games.log.store.Ledger`."""
    return [*module.split("."), ""][1]


@pytest.mark.parametrize("name", PACKAGES)
def test_each_package_imports_only_packages_below_it(name: str) -> None:
    for module in modules_of(f"games.{name}"):
        imported = {package_of(each) for each in module.imported_from("games")} - {name}
        assert imported <= PACKAGES[name], module.name


def test_every_package_has_its_floor() -> None:
    known = {*PACKAGES, *TOP}

    assert {package_of(module.name) for module in APPLICATION} - {""} <= known


def test_the_packages_form_no_cycle() -> None:
    below: dict[str, set[str]] = {}
    for name, allowed in PACKAGES.items():
        assert allowed <= below.keys(), f"{name} stands before what it imports"
        below[name] = allowed


def test_the_subjects_of_the_pages_form_no_cycle() -> None:
    arrows: dict[str, set[str]] = {}
    for module in modules_of("games.pages"):
        subject = _subject(module)
        imported = {".".join(each.split(".")[:3]) for each in module.imported_from("games.pages")}
        arrows.setdefault(subject, set()).update(imported - {subject})

    assert not in_cycles(arrows)


def test_the_modules_form_no_cycle() -> None:
    names = {module.name for module in APPLICATION}
    arrows = {
        module.name: {each if each in names else each.rpartition(".")[0] for each in module.imported_from("games")}
        for module in APPLICATION
    }

    assert not in_cycles(arrows)


def in_cycles(arrows: Mapping[str, Set[str]]) -> set[str]:
    """What reaches a cycle along the arrows."""
    left = dict(arrows)
    while leaves := {name for name, reached in left.items() if not reached & left.keys()}:
        left = {name: reached for name, reached in left.items() if name not in leaves}
    return {*left}


def _subject(module: Module) -> str:
    """`games.pages.table` of `games.pages.table.page`; a module outside of every folder is its own subject."""
    return ".".join(module.name.split(".")[:3])


def test_the_application_does_not_import_the_project_around_it() -> None:
    for module in APPLICATION:
        assert not module.imported_from("njetassist"), module.name


WEB = ("django.http", "django.urls", "django.shortcuts", "django.template", "django.forms", "django.views")


@pytest.mark.parametrize("name", PACKAGES)
def test_below_the_pages_and_the_api_nothing_depends_on_http(name: str) -> None:
    for module in modules_of(f"games.{name}"):
        if name == "live" or module.name == "games.keys.addresses":
            # A stream is a response, and the client's address is read from the request.
            continue
        assert not {each for web in (*WEB, "rest_framework") for each in module.imported_from(web)}, module.name


ANSWERS_REQUESTS = ("views.py", "forms.py", "paper_table.py", "digital_table.py", "readers.py")


def display_modules() -> list[Module]:
    """The modules of the pages that turn a state into what a template shows."""
    return [
        module
        for module in modules_of("games.pages")
        if len(module.name.split(".")) > 3 and module.path.name not in ANSWERS_REQUESTS
    ]


def test_what_a_page_shows_is_computed_without_the_database() -> None:
    for module in display_modules():
        assert not module.imported_from("django.db") | module.imported_from("games.groups.lists"), module.name
        assert not any(".objects." in call for call in calls(module)), module.name


def test_what_a_page_shows_takes_values_but_no_functions_from_packages_that_write() -> None:
    """A class is a value (`Ledger`, `StandingChange`); a function or a whole module could write."""
    for module in [*display_modules(), *modules_of("games.pages.forms")]:
        for package in ("games.services", "games.groups.periods", "games.groups.totals", "games.log", "games.keys"):
            for imported in module.imported_from(package):
                assert re.fullmatch(r"[A-Z]\w*[a-z]\w*", imported.split(".")[-1]), f"{module.name} imports {imported}"


def test_what_a_page_shows_is_composed_of_parts() -> None:
    large = [
        f"{module.name}.{node.name}"
        for module in display_modules()
        for node in module.nodes
        if isinstance(node, ast.ClassDef) and sum(isinstance(each, ast.AnnAssign) for each in node.body) > MOST_FIELDS
    ]

    assert large == []


SHOWN_FROM_ELSEWHERE = {
    # What the page of a table sends instead of the whole page.
    "play": {"table", "digital"},
    # Either mode of a table says what these pages show of it.
    "table": {"menu", "sheet"},
    "digital": {"menu", "sheet"},
    # Who is not let in gets an error page.
    "guards": {"errors"},
}
"""The pages that show templates of another folder than the one with their name."""


def test_the_templates_of_a_page_are_in_the_folder_with_its_name() -> None:
    elsewhere: dict[str, set[str]] = {}
    for module in modules_of("games.pages"):
        subject = module.name.split(".")[2:3]
        for folder in re.findall(r'"games/(\w+)/\w+\.html"', module.path.read_text(encoding="utf-8")):
            if [folder] != subject:
                elsewhere.setdefault("".join(subject), set()).add(folder)

    assert elsewhere == SHOWN_FROM_ELSEWHERE


def test_the_api_does_not_import_the_pages() -> None:
    for module in modules_of("games.api"):
        assert not module.imported_from("games.pages"), module.name


# --- the two modes ---

MOST_BRANCHES_ON_THE_MODE = 40
OF_THE_MODE = {"digital", "is_digital", "DIGITAL", "TABLE", "DigitalTable", "PaperTable"}


def branches_on_the_mode(module: Module) -> list[str]:
    """Each condition of an if, a ternary, a loop or a match that asks whether a game is digital."""
    conditions: list[ast.expr] = []
    for node in module.nodes:
        match node:
            case ast.If(test=condition) | ast.IfExp(test=condition) | ast.While(test=condition):
                conditions.append(condition)
            case ast.comprehension(ifs=filters):
                conditions += filters
            case ast.Match(subject=condition):
                conditions.append(condition)
    return [f"{module.name}:{each.lineno} {ast.unparse(each)}" for each in conditions if names_in(each) & OF_THE_MODE]


def names_in(node: ast.expr) -> set[str]:
    inner = list(ast.walk(node))
    attributes = {each.attr for each in inner if isinstance(each, ast.Attribute)}
    return attributes | {each.id for each in inner if isinstance(each, ast.Name) and not each.id.isupper()}


def test_few_places_branch_on_the_mode_of_a_game() -> None:
    """The guard decides it once for a request; what differs is a method of `PaperTable` and `DigitalTable`."""
    branches = [branch for module in APPLICATION for branch in branches_on_the_mode(module)]

    assert len(branches) <= MOST_BRANCHES_ON_THE_MODE, "\n".join(branches)


def test_a_branch_on_the_mode_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "some.py"
    path.write_text(
        "if state.setup.digital: pass\n"
        "shown = 1 if game.mode == Mode.DIGITAL else 2\n"
        "tables = [each for each in all_tables if isinstance(each, DigitalTable)]\n"
        "digital = game.mode == Mode.DIGITAL\n"
        "if digital and other: pass\n"
        "if other: pass\n"
    )

    assert [branch.split(" ")[0][-1] for branch in branches_on_the_mode(Module("some", path))] == ["1", "5", "2", "3"]


# --- who may see every hand ---

SEE_EVERY_HAND = (
    "games.services",
    # They count games, compare logs, and give each bot the view of its seat; no request is answered there.
    *("games.bot_runner.turn", "games.management"),
    # A task, which decides with the view of one seat (`Turn`), as the bot does that acts for it.
    "games.bot_runner.tasks.hint",
)
READS_EVERY_HAND = {f"games.log.store.{name}" for name in ("read", "rows", "refold")}


def reads_every_hand(module: Module) -> set[str]:
    """The functions and classes of a module that read a log with every hand and may not."""
    return {part for part in module.uses(READS_EVERY_HAND) if not any(within(part, each) for each in SEE_EVERY_HAND)}


def test_only_who_writes_reads_a_log_with_every_hand() -> None:
    """Anyone who answers a request asks for the log as its key holder may read it: `seen`, `seen_rows`, `seen_by`."""
    for module in APPLICATION:
        if module.name == "games.log.store":
            continue
        assert reads_every_hand(module) == set()
        if not any(within(module.name, allowed) for allowed in SEE_EVERY_HAND):
            # `Ledger.played_by` shows a bot the hand of its seat.
            assert not {call for call in calls(module) if call.endswith(".played_by")}, module.name


@pytest.mark.parametrize(
    ("imported", "used"),
    [
        ("from games.log import store", "store.read(game)"),
        ("from games.log import store as logs", "logs.rows(game.pk)"),
        ("from games import log", "log.store.refold(game)"),
        ("from games.log.store import read as ledger_of", "ledger_of(game)"),
        ("from ...log import store", "map(store.read, games)"),
        ("import games.log.store", "games.log.store.read(game)"),
        ("import games.log.store as logs", "logs.read(game)"),
    ],
)
def test_a_page_that_reads_every_hand_is_found(imported: str, used: str, tmp_path: Path) -> None:
    path = tmp_path / "views.py"
    path.write_text(f"{imported}\n\ndef show(game):\n    return {used}\n", encoding="utf-8")

    assert reads_every_hand(Module("games.pages.play.views", path)) == {"games.pages.play.views.show"}


def test_what_a_key_holder_may_read_is_not_reported(tmp_path: Path) -> None:
    path = tmp_path / "views.py"
    path.write_text("from games.log import store\n\ndef show(game):\n    return store.seen(game, None)\n")

    assert reads_every_hand(Module("games.pages.play.views", path)) == set()


def test_a_view_of_a_game_is_made_in_one_place() -> None:
    for module in APPLICATION:
        if module.name in ("games.log.ledger", "games.rules.redaction"):
            continue
        assert not {call for call in calls(module) if call.split(".")[-1] in ("view_for", "PlayerView")}, module.name


# --- who may write ---

WRITERS = (
    *("games.services.creation", "games.services.tables", "games.services.write"),
    *("games.services.deletion", "games.services.groups", "games.services.group_players", "games.services.seasons"),
    "games.services.sweep",
    *("games.keys.registry", "games.keys.invitations", "games.keys.limits"),
    "games.groups.periods",
    "games.groups.totals",
    "games.log.store",
    # The rows of its own queues.
    "games.bot_runner.tasks",
    # The analyses.
    "games.analysis.tasks",
)

MANAGER_WRITES = re.compile(
    r"\bobjects\b.*\.(a?(create|bulk_create|update|bulk_update|delete|get_or_create|update_or_create)|raw)$", re.S
)
ROW_WRITES = re.compile(r"\.a?(save|save_base|bulk_create|bulk_update)$")


def test_only_services_keys_totals_and_log_write() -> None:
    for module in APPLICATION:
        if module.name in WRITERS:
            continue
        written = [
            call
            for call in calls(module)
            if MANAGER_WRITES.search(call)
            or (ROW_WRITES.search(call) and not call.endswith(("session.save", "image.save")))
        ]
        assert not written, module.name


def test_only_the_log_uses_log_entries() -> None:
    """An annotation may name what it gets; who holds the class, or its table's name, could write."""
    for module in APPLICATION:
        if module.name in ("games.log.store", "games.models"):
            continue
        assert not list(_uses_of_log_entry(module)), module.name


def _uses_of_log_entry(module: Module) -> Iterator[str]:
    annotations = {
        inner
        for node in module.nodes
        for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None))
        if annotation is not None
        for inner in ast.walk(annotation)
    }
    for node in module.nodes:
        if node in annotations:
            continue
        match node:
            case ast.Name(id="LogEntry") | ast.Attribute(attr="LogEntry"):
                yield ast.unparse(node)
            case ast.Constant(value=str() as text) if re.search(r"games[._]logentry", text, re.IGNORECASE):
                yield text
            case ast.Call(func=ast.Attribute(attr="get_model" | "get_models")):
                yield ast.unparse(node)
            case ast.alias(name="LogEntry", asname=str() as other_name):
                yield other_name


def test_the_log_adds_entries_in_one_place_and_changes_none_but_erased_names() -> None:
    (log,) = modules_of("games.log.store")
    (erasing,) = (node for node in log.tree.body if getattr(node, "name", "") == "erase_names")
    erased = {ast.unparse(node.func) for node in ast.walk(erasing) if isinstance(node, ast.Call)}

    uses = [call for call in calls(log) if call.startswith("LogEntry")]

    verbs = {name for call in uses for name in re.findall(r"\w+", call)[1:] if call.count("(") == 0}
    assert verbs == {"objects", "filter", "bulk_create"}
    assert uses.count("LogEntry.objects.bulk_create") == 1
    changing = [call for call in calls(log) if re.search(r"\.(save|update|delete|bulk_update|raw|execute)$", call)]
    assert changing == ["game.save", "written.filter(pk=entry.pk).update"]
    assert set(changing) <= erased


def test_no_one_writes_sql() -> None:
    """But commands, and the bus: data versions and notifications are nothing that Django has words for.

    `prepared` executes what Django has written, and `rows` inserts without its objects.
    """
    excepted = ("games.live.bus", "games.database.prepared", "games.log.rows", "games.database.sqlite_files")
    for module in APPLICATION:
        if within(module.name, "games.management") or module.name in excepted:
            continue
        assert not [call for call in calls(module) if re.search(r"\.(execute|executemany|cursor|raw|extra)$", call)]
