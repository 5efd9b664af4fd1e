"""Clients that tools generate from the description of the API: nothing is refused, and one of them plays a round."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx
import pytest
from django.core.handlers.wsgi import WSGIHandler

from games.api.openapi import openapi
from tests.api.test_schema_fuzz import one_connection

NODE_TOOLS = Path(__file__).parents[2] / ".ci"
PACKAGE = "njet_client"

pytestmark = [pytest.mark.slow, pytest.mark.any_database]


@pytest.fixture(scope="module")
def description(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("description") / "openapi.json"
    path.write_text(json.dumps(openapi()))
    return path


# --- openapi-python-client ---


@pytest.fixture(scope="module")
def generated(description: Path) -> Iterator[ModuleType]:
    """The package that openapi-python-client generates, without a warning."""
    folder = description.parent
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        [
            *(sys.executable, "-m", "openapi_python_client", "generate", "--fail-on-warning", "--meta", "none"),
            *("--path", str(description), "--output-path", str(folder / PACKAGE)),
        ],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "warning" in done.stdout.lower()) == (0, False), done.stdout + done.stderr
    sys.path.insert(0, str(folder))
    yield importlib.import_module(PACKAGE)
    sys.path.remove(str(folder))


class Generated:
    """The generated functions and models, by name, with a key."""

    def __init__(self, package: ModuleType, key: str | None = None) -> None:
        self.package = package
        self.models = importlib.import_module(f"{PACKAGE}.models")
        http = httpx.Client(
            transport=httpx.WSGITransport(app=WSGIHandler()),  # Django's handler is a WSGI app
            base_url="http://testserver",
            headers={"Accept-Encoding": "identity", **({} if key is None else {"Authorization": f"Bearer {key}"})},
        )
        self.client = package.AuthenticatedClient(base_url="http://testserver", token=key or "")
        self.client.set_httpx_client(http)

    def call(self, tag: str, operation: str, *args: object, **kwargs: object) -> Any:
        """What a generated function answers."""
        module = importlib.import_module(f"{PACKAGE}.api.{tag}.{operation}")
        with one_connection():
            return module.sync(*args, client=self.client, **kwargs)

    def model(self, name: str, document: dict[str, Any]) -> Any:
        return getattr(self.models, name).from_dict(document)


@pytest.mark.django_db
def test_a_generated_client_opens_a_table_records_amends_and_reads(generated: ModuleType) -> None:
    anyone = Generated(generated)
    models = anyone.models
    group = anyone.call("groups", "create_group", body=models.GroupRequest(name="Tuesdays"))
    owner = Generated(generated, group.key)
    players = [models.NewPlayer(name=name) for name in ("Ana", "Ben", "Cleo")]
    opened = owner.call(
        "everybody",
        "create_game",
        body=models.NewGame(mode=models.NewGameMode.TABLE, preset="njet-english", players=players, group=group.id),
    )
    scorekeeper = Generated(generated, opened.keys.scorekeeper)

    version = opened.version
    for action in (
        models.PlaceAction(row=models.RowName.TRUMP, space="black", type_=models.PlaceActionType.PLACE),
        models.ConditionsAction(
            start="0",
            discard="njet",
            trump="red",
            supertrump="njet",
            points="2",
            type_=models.ConditionsActionType.CONDITIONS,
        ),
        models.TeamAction(partners=[1], monster=2, type_=models.TeamActionType.TEAM),
        models.TallyAction(tricks=[6, 5, 5], captured=[1, 0, 2], type_=models.TallyActionType.TALLY),
    ):
        request = models.RecordRequest(action=action, version=version, request_id=f"tap {version}")
        written = scorekeeper.call("games", "record", opened.id, body=request)
        assert isinstance(written, models.Written), written
        version = written.version
    assert written.state.scores.totals == [24, 24, 28]
    assert [change.seat for change in _amended(scorekeeper, opened.id, version, preview=True).changes] == [0, 1]
    amended = _amended(scorekeeper, opened.id, version, preview=False)
    finish = models.RecordRequest(action=models.FinishAction(type_=models.FinishActionType.FINISH))
    finished = scorekeeper.call("games", "record", opened.id, body=finish)

    sheet = scorekeeper.call("games", "sheet", opened.id)
    results = owner.call("results", "results")
    log = scorekeeper.call("games", "log", opened.id)
    assert amended.state.scores.totals != [24, 24, 28]
    assert [row.running_total for row in sheet] == finished.state.scores.totals
    (result,) = results.results
    assert [seat.total for seat in result.seats] == finished.state.scores.totals
    assert [entry.kind for entry in log] == ["place", "conditions", "team", "tally", "amend", "finish"]


def _amended(scorekeeper: Generated, game_id: str, version: int, *, preview: bool) -> Any:
    """The answer to a tally that is corrected, or previewed."""
    models = scorekeeper.models
    tally = models.TallyAction(tricks=[7, 4, 5], captured=[0, 0, 2], type_=models.TallyActionType.TALLY)
    change = models.Replacing(seq=4, action=tally)
    request = models.AmendRequest(changes=[change], version=version, preview=preview)
    return scorekeeper.call("games", "amend", game_id, body=request)


@pytest.mark.django_db
def test_a_generated_client_reads_refusals(generated: ModuleType) -> None:
    anyone = Generated(generated)

    refused = Generated(generated, "wrong").call("games", "state", "0" * 12)

    assert isinstance(refused, anyone.models.Error)
    assert refused.error.code == "not_authenticated"


# --- openapi-typescript and Spectral ---


@pytest.fixture(scope="session")
def node_tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tools of `.ci/package.json`, installed apart."""
    npm = shutil.which("npm")
    if npm is None and not os.environ.get("CI"):
        pytest.skip("npm is not installed; with CI set this fails")
    assert npm is not None, "CI needs Node.js with npm"
    folder = tmp_path_factory.mktemp("node")
    for name in ("package.json", "package-lock.json", ".spectral.yaml"):
        shutil.copy(NODE_TOOLS / name, folder)
    subprocess.run([npm, "ci", "--silent", "--no-fund", "--no-audit"], cwd=folder, check=True, timeout=300)
    return folder


def test_typescript_types_are_generated(node_tools: Path, description: Path) -> None:
    types = description.with_suffix(".ts")

    done = subprocess.run(
        [str(node_tools / "node_modules/.bin/openapi-typescript"), str(description), "-o", str(types)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert "warn" not in (done.stdout + done.stderr).lower()
    assert "export interface operations" in types.read_text()


def test_spectral_finds_nothing(node_tools: Path, description: Path) -> None:
    done = subprocess.run(
        [
            *(str(node_tools / "node_modules/.bin/spectral"), "lint", "--fail-severity", "hint", "--format", "text"),
            *("--ruleset", str(node_tools / ".spectral.yaml"), str(description)),
        ],
        cwd=node_tools,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout + done.stderr
