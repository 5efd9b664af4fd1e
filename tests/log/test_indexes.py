"""What the database keeps beside the tables: each index costs every write and a part of the disk."""

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import Model

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("model", list(apps.get_app_config("games").get_models()), ids=lambda model: model.__name__)
def test_no_index_repeats_the_beginning_of_another(model: type[Model]) -> None:
    conditions = [*model._meta.indexes, *model._meta.constraints]
    conditional = {each.name for each in conditions if getattr(each, "condition", None) is not None}
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, model._meta.db_table)
    columns = {name: each["columns"] for name, each in found.items() if each["index"] or each["unique"]}
    repeated = {
        (name, other)
        for name, own in columns.items()
        for other, longer in columns.items()
        if own and not conditional & {name, other} and len(longer) > len(own) and longer[: len(own)] == own
    }
    assert repeated == set()
