"""Requests by the schema and against it: nothing breaks, and every answer is one that the schema promises."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import ComponentInfo
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from games.api.openapi import openapi
from games.log import store
from tests.api.client import ROUND_OF_THREE, Api
from tests.api.digital import DigitalTable
from tests.api.groups import ApiGroup

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
]
# The client that calls the application without a server does not read compressed answers.
PLAIN = {"Accept-Encoding": "identity"}
OF_GROUPS = re.compile(r"/v1/(groups|results|players|pairs|statistics)/")
OF_DIGITAL = re.compile(r"/(proposals|seats)/")
OPERATIONS = [
    (path, method.upper(), mode)
    for path, methods in openapi()["paths"].items()
    for method, operation in methods.items()
    for mode in GenerationMode
    if mode is GenerationMode.POSITIVE or "parameters" in operation or "requestBody" in operation
]


RIGHT = ComponentInfo(GenerationMode.POSITIVE)


class World:
    """A table, a digital game, or a group with a game, for the addresses and keys of requests."""

    ids: dict[str, object]
    key: str

    def __init__(self, path: str) -> None:
        if OF_GROUPS.search(path):
            group = ApiGroup(Api())
            (game,) = group.history(1)
            players = group.players()
            self.key = group.owner
            self.ids = {"group_id": group.id, "game_id": game, "player_id": players["Ana"], "other_id": players["Ben"]}
        elif OF_DIGITAL.search(path):
            game = DigitalTable.open(Api(), bots=[None, "easy"])
            self.key, self.ids = game.seats[0], {"game_id": game.id, "seat": 0}
        else:
            table = Api().open_table(rounds=2)
            table.play(*ROUND_OF_THREE)
            self.key, self.ids = table.scorekeeper, {"game_id": table.id}


pytestmark = [pytest.mark.slow, pytest.mark.django_db, pytest.mark.any_database]


@contextmanager
def one_connection() -> Iterator[None]:
    """A handler closes connections around a request; the test's transaction has to outlive it."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in (request_started, request_finished):
            signal.connect(close_old_connections)


@contextmanager
def undone() -> Iterator[None]:
    """Nothing that happens in the block lasts: the same table serves every request."""
    store._kept.clear()
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def description() -> Any:
    with one_connection():
        return schemathesis.openapi.from_wsgi("/api/v1/schema/", WSGIHandler())


@pytest.mark.parametrize(("path", "method", "mode"), OPERATIONS)
def test_no_request_breaks_the_api(description: Any, path: str, method: str, mode: GenerationMode) -> None:
    # Parameters that no one knows are left alone; a body that is not as described is refused.
    refusing = [negative_data_rejection] if (mode, method) == (GenerationMode.NEGATIVE, "POST") else []

    world = World(path)

    @given(st.data())
    @settings(
        # An address alone has less in it that could be wrong than a body.
        max_examples=6 if method == "POST" else 3,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def try_it(data: st.DataObject) -> None:
        case = data.draw(description[path][method].as_strategy(generation_mode=mode))
        # Most of what is made up would end at a game or a group that does not exist.
        case.path_parameters.update({name: each for name, each in world.ids.items() if name in case.path_parameters})
        # What was wrong in the address and the headers is right by now.
        is_wrong = case.meta.components.get(ParameterLocation.BODY, RIGHT).mode is GenerationMode.NEGATIVE
        with one_connection(), undone():
            case.call_and_validate(
                headers={**PLAIN, "Authorization": f"Bearer {world.key}"},
                checks=[*CHECKS, *(refusing if is_wrong else [])],
            )

    try_it()
