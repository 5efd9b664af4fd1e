"""The description of the API: valid, complete, and what the code does."""

import io
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command

from games.api import openapi as description
from games.api.openapi import openapi
from games.api.urls import urlpatterns
from games.rules import PRESETS
from games.rules.actions import KINDS
from tests.api.client import Api, Table, deepest
from tests.api.groups import ApiGroup

pytestmark = pytest.mark.any_database

WITHOUT_DESCRIPTION = {"unknown", "docs"}
FIELDS = Path(__file__).with_name("fields.txt")
"""A line for each document, with the fields that it has."""


def operations() -> list[tuple[str, str, Any]]:
    return [
        (method, path, operation)
        for path, methods in openapi()["paths"].items()
        for method, operation in methods.items()
    ]


def refs(value: Any) -> set[str]:
    if isinstance(value, list):
        return {each for item in value for each in refs(item)}
    if not isinstance(value, dict):
        return set()
    own = {value["$ref"].rpartition("/")[2]} if isinstance(value.get("$ref"), str) else set()
    return own.union(*(refs(item) for item in value.values()))


def schemas(value: Any) -> Iterator[dict[str, Any]]:
    """Every object on every level."""
    if isinstance(value, list):
        for each in value:
            yield from schemas(each)
    if isinstance(value, dict):
        yield value
        for each in value.values():
            yield from schemas(each)


@pytest.mark.slow
def test_the_schema_is_valid_and_made_without_a_warning() -> None:
    out = io.StringIO()

    call_command("spectacular", "--validate", "--fail-on-warn", stdout=out)

    assert out.getvalue().startswith("openapi: 3.1.0")


def test_the_fields_of_every_document_are_listed() -> None:
    components = openapi()["components"]["schemas"].items()
    found = {f"{name}: {' '.join(sorted(each['properties']))}" for name, each in components if each.get("properties")}
    listed = set(FIELDS.read_text(encoding="utf-8").splitlines())

    assert found == listed, "\n".join(
        [
            "A program reads these fields: one may come, none may be renamed or go.  Lines of `tests/api/fields.txt`",
            *(f"- {line}" for line in sorted(listed - found)),
            *(f"+ {line}" for line in sorted(found - listed)),
        ]
    )


def test_the_schema_is_served(api: Api) -> None:
    answer = api.get("/schema/")

    assert answer.status == 200
    assert answer.json == openapi()


def test_every_endpoint_is_described() -> None:
    routes = {
        "/api/" + str(pattern.pattern).replace("<str:", "{").replace("<int:", "{").replace(">", "}")
        for pattern in urlpatterns
        if pattern.name not in WITHOUT_DESCRIPTION
    }

    assert set(openapi()["paths"]) == routes


def test_every_method_of_an_endpoint_is_described() -> None:
    described = {(path, method) for method, path, _ in operations()}

    for pattern in urlpatterns:
        if pattern.name not in WITHOUT_DESCRIPTION:
            path = "/api/" + str(pattern.pattern).replace("<str:", "{").replace("<int:", "{").replace(">", "}")
            possible = {method for method in ("get", "post", "delete") if hasattr(pattern.callback.cls, method)}
            assert possible == {method for known, method in described if known == path}


def test_every_operation_has_an_id_a_summary_a_description_and_a_tag_that_is_described() -> None:
    tags = {tag["name"] for tag in openapi()["tags"] if tag["description"]}
    ids = [operation["operationId"] for _, _, operation in operations()]

    assert len(set(ids)) == len(ids)
    for _, path, operation in operations():
        assert operation["summary"], path
        assert operation["description"], path
        assert tags.issuperset(operation["tags"]), path
        assert operation["tags"], path


def test_no_schema_is_a_boolean_but_one_that_closes_an_object() -> None:
    """Generators of clients do not read the others."""
    for name, value in (pair for each in schemas(openapi()) for pair in each.items()):
        if name == "additionalProperties" and isinstance(value, bool):
            assert value is False
        elif name in ("items", "not", "schema"):
            assert not isinstance(value, bool)


def test_no_parameter_of_an_address_is_null() -> None:
    """An address has no null: some clients would write the word."""
    for _, path, operation in operations():
        for parameter in operation.get("parameters", []):
            assert "null" not in json.dumps(parameter["schema"]), (path, parameter["name"])


def test_an_enumeration_has_texts_or_numbers_and_no_length() -> None:
    """Generators of clients write code that does not compile for others."""
    enumerations = [each for each in schemas(openapi()) if "enum" in each]

    assert enumerations
    for each in enumerations:
        assert None not in each["enum"]
        assert each["type"] in ("string", "integer")
        assert "minLength" not in each


def test_an_enumeration_may_be_null_beside_its_values() -> None:
    level = openapi()["components"]["schemas"]["NewPlayer"]["properties"]["bot"]

    assert level["oneOf"] == [{"type": "string", "enum": ["easy", "medium", "strong"]}, {"type": "null"}]


def test_no_enumeration_would_be_named_like_a_component() -> None:
    """Generators of clients name an enumeration without a name after its field, and number what is ambiguous."""
    components = openapi()["components"]["schemas"]

    named = {
        field.title().replace("_", "")
        for component in schemas(components)
        for field, each in component.get("properties", {}).items()
        if any("enum" in inner for inner in schemas(each))
    }

    assert named
    assert not named & set(components)
    assert components["PresetName"]["enum"] == list(PRESETS)


def test_every_component_is_there_and_used() -> None:
    document = openapi()
    components = set(document["components"]["schemas"])

    assert refs(document) == components


def test_every_endpoint_of_something_asks_for_a_key_and_says_how_it_refuses() -> None:
    for method, path, operation in operations():
        if "{" in path:
            assert operation["security"] == [{"key": []}]
            assert {"401", "404"} <= set(operation["responses"])
        if method == "post":
            assert {"400", "413", "415"} <= set(operation["responses"])
            assert operation["requestBody"]


def test_a_body_is_required_where_an_empty_one_is_refused(table: Table, group: ApiGroup) -> None:
    player = group.post("/players/", {"name": "Ana"}).json["id"]
    program = group.post("/keys/", {"role": "viewer"}).json["id"]
    season = group.post("/seasons/", {"name": "Spring", "since": "2026-03-01"}).json["id"]
    ids = {"group_id": group.id, "player_id": player, "key_id": program, "season_id": season, "seq": 1, "seat": 0}

    for method, path, operation in operations():
        if method == "post":
            of_group = "{group_id}" in path
            game = group.table() if of_group else table
            address = path.removeprefix("/api/v1").format(**ids, game_id=game.id)
            answer = table.api.send("POST", address, group.owner if of_group else table.scorekeeper)
            assert (answer.status == 400) == operation["requestBody"]["required"], path


def test_every_action_is_described() -> None:
    components = openapi()["components"]["schemas"]

    assert set(components["Action"]["discriminator"]["mapping"]) == set(KINDS) - {"deal", "claim"}
    logged = {ref.rpartition("/")[2] for ref in refs(components["LoggedAction"])}
    kinds = {components[name]["properties"]["type"]["enum"][0] for name in logged}
    assert kinds == set(KINDS)


# --- the page ---


def test_the_page_has_no_inline_script_or_style_and_loads_nothing_from_elsewhere(api: Api) -> None:
    page = api.get("/docs/")

    assert page.response.headers["Content-Type"].startswith("text/html")
    assert "<style" not in page.text
    assert "style=" not in page.text
    assert page.text.count("<script") == page.text.count("<script src=")
    assert "//" not in page.text
    assert "unsafe" not in page.response.headers["Content-Security-Policy"]


def test_everything_that_the_page_loads_is_there(api: Api) -> None:
    page = api.get("/docs/").text

    loaded = [part.partition('"')[0] for part in page.split("/static/")[1:]]
    assert len(loaded) == 4
    assert all(finders.find(path) for path in loaded)
    script = api.get("/docs/?script=")
    assert script.response.headers["Content-Type"] == "application/javascript"
    assert "/api/v1/schema/" in script.text.replace("\\u002D", "-")


@pytest.mark.parametrize("query", ["</script>", "%22%3E%3Cscript%3E", "&lang=%3Cscript%3E"])
def test_the_page_repeats_nothing_that_is_put_into_its_address(api: Api, query: str) -> None:
    for path in (f"/docs/?{query}", f"/docs/?script=&version={query}&lang={query}"):
        assert "<script>" not in api.get(path).text
        assert "</script>&" not in api.get(path).text


def test_those_who_ask_first_at_the_same_time_all_get_it() -> None:
    description._openapi.cache_clear()

    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda _: openapi(), range(4)))

    assert all(each is answers[0] for each in answers)


@pytest.mark.parametrize(
    ("round", "reported"),
    [
        ({"number": 1, "more": 2}, "round: Additional properties are not allowed ('more' was unexpected)"),
        ({}, 'round: "number" is a required property'),
        ({"number": "1"}, 'round.number: "1" is not of type "integer"'),
    ],
)
def test_a_field_that_is_not_described_is_reported_where_it_is(round: dict[str, Any], reported: str) -> None:
    shape = {"properties": {"number": {"type": "integer"}}, "required": ["number"], "additionalProperties": False}
    schema = {"properties": {"round": {"oneOf": [{"type": "object", **shape}, {"type": "null"}]}}}

    errors = list(jsonschema_rs.validator_for(schema).iter_errors({"round": round}))

    assert deepest(errors) == reported


MOVED = {"adopt_game"}
"""What is answered with 201 and creates nothing: a second time the game is in the group already, which says so."""


def test_what_creates_something_can_be_sent_again() -> None:
    components = openapi()["components"]["schemas"]
    for method, path, operation in operations():
        if "201" not in operation["responses"] or operation["operationId"] in MOVED:
            continue
        bodies = [components[name] for name in refs([operation["requestBody"]])]
        sent = {name for body in schemas(bodies) for name in body.get("properties", ())}
        sent |= {each["name"] for each in operation.get("parameters", ())}
        assert "request_id" in sent, f"{method} {path}"
        assert "200" in operation["responses"], f"{method} {path}"
