"""A program and its table, or its group."""

import pytest

from tests.api.client import Api, Table
from tests.api.groups import ApiGroup


@pytest.fixture
def api(db: None) -> Api:
    return Api()


@pytest.fixture
def table(api: Api) -> Table:
    """Ana, Ben and Cleo play the English rules; Ana deals and places first."""
    return api.open_table()


@pytest.fixture
def group(api: Api) -> ApiGroup:
    """A group without a game."""
    return ApiGroup(api)
