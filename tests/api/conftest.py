"""A program and its table."""

import pytest

from tests.api.client import Api, Table


@pytest.fixture
def api(db: None) -> Api:
    return Api()


@pytest.fixture
def table(api: Api) -> Table:
    """Ana, Ben and Cleo play the English rules; Ana deals and places first."""
    return api.open_table()
