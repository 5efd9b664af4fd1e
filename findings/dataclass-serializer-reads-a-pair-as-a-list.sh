#!/usr/bin/env bash
# djangorestframework-dataclasses: a field `tuple[int, str]` takes any number of whole numbers, and refuses the text.
#
# One would guess: a pair of a number and a text is read as one, `[7, "red"]`, or the type is refused when the
# serializer is made, since a list of one kind of item cannot describe it.
# What happens: only the first type counts, for every item, in the reader and in the schema of drf-spectacular alike.
# `[7, "red"]` is refused because "red" is no whole number, `[7, 8, 9]` is valid and becomes (7, 8, 9), and the
# published schema promises an array of integers. Nothing warns: a type checker still believes the annotation.
# Version: djangorestframework-dataclasses 1.4.0, djangorestframework 3.18.3, drf-spectacular 0.30.0, Django 5.2.19
# (PyPI); source: what the serializer reads and the schema says.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check Django==5.2.19 djangorestframework==3.18.3 \
    djangorestframework-dataclasses==1.4.0 drf-spectacular==0.30.0
"$folder/venv/bin/python" - <<'PYTHON'
from dataclasses import dataclass

import django
from django.conf import settings

settings.configure(
    INSTALLED_APPS=["rest_framework", "drf_spectacular"],
    REST_FRAMEWORK={"DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema", "UNAUTHENTICATED_USER": None},
    ROOT_URLCONF="__main__",
)
django.setup()
from django.urls import path
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework.views import APIView
from rest_framework_dataclasses.serializers import DataclassSerializer


@dataclass
class Play:
    card: tuple[int, str]


class PlaySerializer(DataclassSerializer):
    class Meta:
        dataclass = Play


class View(APIView):
    permission_classes = authentication_classes = ()

    @extend_schema(request=PlaySerializer, responses=PlaySerializer)
    def post(self, request):
        """Not called."""


urlpatterns = [path("plays/", View.as_view())]

pair, numbers = (PlaySerializer(data={"card": card}) for card in ([7, "red"], [7, 8, 9]))
found = pair.is_valid(), numbers.is_valid(), numbers.save().card
schema = SchemaGenerator().get_schema(request=None, public=True)["components"]["schemas"]["Play"]["properties"]["card"]
print(f"tuple[int, str]: [7, 'red'] valid {found[0]}, [7, 8, 9] valid {found[1]} and read as {found[2]}; {schema}")
assert found == (False, True, (7, 8, 9))
assert (schema["type"], schema["items"]["type"]) == ("array", "integer")
PYTHON
