"""The limits that the schema states: numbers, texts and lists beyond them are refused, and a key is demanded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from games.api.openapi import openapi
from tests.api.client import Api, Json, penalty
from tests.test_matrix import API, World, ask, routes, stated

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

PATHS = openapi()["paths"]

USUAL: Json = {
    "options": {},
    "names": ["Ana", "Ben", "Cleo"],
    "tokens": ["bear", "wolf", "raven"],
    "paper": {"lines": [[42, 17, 30]], "by_round": True},
    "occasion": {},
}
"""Fields that a right body may leave out."""


def resolved(schema: Json) -> Json:
    """A schema without its reference, and without null."""
    while "$ref" in schema:
        schema = openapi()["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    if "oneOf" in schema:
        others = [each for each in schema["oneOf"] if each != {"type": "null"}]
        return resolved(others[0]) if len(others) == 1 else schema
    return schema


def of_kind(schema: Json, value: Json) -> Json:
    """The schema of an action, among those of all kinds."""
    mapping = schema.get("discriminator", {}).get("mapping")
    return resolved({"$ref": mapping[value["type"]]}) if mapping else schema


def beyond(schema: Json, value: Json) -> Iterator[Json]:
    """A value that is right, with one number, text or list beyond its limits."""
    schema = of_kind(resolved(schema), value)
    if "minimum" in schema:
        yield from (schema["minimum"] - 1, schema["maximum"] + 1)
    if "minLength" in schema:
        yield "x" * (schema["minLength"] - 1)
    if "maxLength" in schema:
        yield "x" * (schema["maxLength"] + 1)
    if "maxItems" in schema:
        yield from (value[:1] * (schema["minItems"] - 1), value[:1] * (schema["maxItems"] + 1), [])
    if value and "items" in schema:
        yield from ([each, *value[1:]] for each in beyond(schema["items"], value[0]))
    for name, part in schema.get("properties", {}).items():
        for each in beyond(part, value.get(name, USUAL.get(name))):
            yield {**value, name: each}


def bodies(world: World) -> Iterator[tuple[Any, str, Json, Json]]:
    """What may be sent by whom to which address, and its schema."""
    answers = stated(API, world.mode)
    for route in routes():
        described = PATHS.get(route.address({name: f"{{{name}}}" for name in route.parameters}), {}).get("post", {})
        # An address of the bin has no answer at a table that is there.
        if route.space == "api" and "requestBody" in described and answers[route.name, "POST"]:
            schema = described["requestBody"]["content"]["application/json"]["schema"]
            body = world.bodies["api"].get(route.name, {})
            for known in (body, {"action": penalty(0, -5)})[: 1 + (route.name == "actions")]:
                yield route, next(iter(answers[route.name, "POST"])), known, schema


def test_a_body_beyond_a_limit_is_refused(subtests: pytest.Subtests) -> None:
    world, tried = World("table"), 0
    for route, role, body, schema in bodies(world):
        for wrong in beyond(schema, body):
            with subtests.test(f"{route}: {wrong}"):
                changed = {name: value for name, value in wrong.items() if body.get(name) != value}
                tried += 1

                assert ask(world, role, route, "POST", **changed).status_code in (400, 422)
    assert tried > 40


def integers(schema: Json, seen: frozenset[str] = frozenset()) -> Iterator[Json]:
    """The schemas of whole numbers in a schema."""
    if isinstance(schema, list):
        for each in schema:
            yield from integers(each, seen)
    elif isinstance(schema, dict):
        reference = str(schema.get("$ref", ""))
        if reference and reference not in seen:
            yield from integers(resolved(schema), seen | {reference})
        if "integer" in schema.get("type", ()) and "enum" not in schema:
            yield schema
        yield from integers([*schema.values()], seen)


def test_every_number_of_a_request_has_limits() -> None:
    for path, methods in PATHS.items():
        for method, operation in methods.items():
            asked = [operation.get("requestBody", {}), operation.get("parameters", [])]
            for schema in integers(asked):
                assert {"minimum", "maximum"} <= schema.keys(), (method, path, schema)


def test_the_limits_of_parameters_hold(api: Api) -> None:
    world = World("table")
    for route in routes():
        operation = PATHS.get(route.address({name: f"{{{name}}}" for name in route.parameters}), {}).get("get", {})
        for parameter in operation.get("parameters", []):
            if parameter["in"] == "query" and "maximum" in parameter["schema"]:
                name, most = parameter["name"], parameter["schema"]["maximum"]
                role = "scorekeeper" if "game_id" in route.parameters else "owner"

                # A number of a change that never happened is always refused; a physical table has no analysis; and
                # there is no such season.
                usual = {"changed_after": 400, "seat": 422, "season": 404}.get(name, 200)
                assert ask(world, role, route, "GET", **{name: most}).status_code == usual, name
                assert ask(world, role, route, "GET", **{name: most + 1}).status_code == 400, name


def test_a_key_is_demanded_exactly_where_the_schema_says(api: Api) -> None:
    world = World("table")
    for route in routes():
        for method, operation in PATHS.get(route.address({n: f"{{{n}}}" for n in route.parameters}), {}).items():
            status = ask(world, "nobody", route, method.upper()).status_code
            assert (status == 401) == ({} not in operation["security"]), (method, route)


def test_a_name_is_not_empty_and_a_table_has_players() -> None:
    components = openapi()["components"]["schemas"]

    for name in ("NewPlayer", "GroupRequest", "NewPlayerRequest", "PlayerRequest"):
        assert components[name]["properties"]["name"]["minLength"] == 1
    assert components["NewGame"]["properties"]["players"]["minItems"] == 2
