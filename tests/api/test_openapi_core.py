"""What the schema allows, openapi-core takes: a program that checks its requests by the schema can send them."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from openapi_core import OpenAPI
from openapi_core.contrib.requests import RequestsOpenAPIRequest
from requests import Request
from schemathesis import GenerationMode

from games.api.openapi import openapi

OPERATIONS = [(path, method) for path, methods in openapi()["paths"].items() for method in methods]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def checker() -> OpenAPI:
    return OpenAPI.from_dict(openapi())


@pytest.fixture(scope="module")
def description() -> Any:
    return schemathesis.openapi.from_dict(openapi())


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_every_request_is_taken(checker: OpenAPI, description: Any, path: str, method: str) -> None:
    @given(st.data())
    @settings(
        max_examples=10,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def try_it(data: st.DataObject) -> None:
        case = data.draw(description[path][method.upper()].as_strategy(generation_mode=GenerationMode.POSITIVE))
        sent = case.as_transport_kwargs(base_url="http://testserver")
        sent["headers"] = {**sent["headers"], "Authorization": "Bearer key"}
        checker.validate_request(RequestsOpenAPIRequest(Request(**sent)))

    try_it()
