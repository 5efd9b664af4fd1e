"""The description of the API: valid, complete, and what the code does."""

import io
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command

from games.api import schema, views
from games.api.urls import urlpatterns
from games.api.views import openapi
from games.errors import ApplicationError
from games.rules.actions import KINDS
from tests.api.client import Api, Table

WITHOUT_DESCRIPTION = {"unknown", "docs"}


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


def test_the_schema_is_valid_and_made_without_a_warning() -> None:
    out = io.StringIO()

    call_command("spectacular", "--validate", "--fail-on-warn", stdout=out)

    assert out.getvalue().startswith("openapi: 3.1.0")


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


def test_a_body_is_required_where_an_empty_one_is_refused(table: Table) -> None:
    for method, path, operation in operations():
        if method == "post":
            ids = {"game_id": table.id, "group_id": "x", "player_id": "x", "key_id": 1, "seq": 1, "seat": 0}
            answer = table.api.send("POST", path.removeprefix("/api/v1").format(**ids), table.scorekeeper)
            assert (answer.status == 400) == operation["requestBody"]["required"], path


def test_every_action_is_described() -> None:
    mapping = schema.COMPONENTS["Action"]["discriminator"]["mapping"]

    assert set(mapping) == set(KINDS) - {"deal", "claim"}
    logged = {ref.rpartition("/")[2] for ref in refs(schema.COMPONENTS["LoggedAction"])}
    kinds = {schema.COMPONENTS[name]["properties"]["type"]["const"] for name in logged}
    assert kinds == set(KINDS)


def test_every_conflict_is_described() -> None:
    conflicts = {error.code for error in ApplicationError.__subclasses__() if error.status == 409}

    listed = schema.COMPONENTS["OtherConflict"]["properties"]["error"]["properties"]["code"]["enum"]
    assert set(listed) | {"stale_version"} == conflicts


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


def test_those_who_ask_first_at_the_same_moment_all_get_it() -> None:
    views._openapi.cache_clear()

    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda _: views.openapi(), range(4)))

    assert all(each is answers[0] for each in answers)
