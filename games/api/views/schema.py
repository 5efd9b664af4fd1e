"""The description of the API, for programs and for people."""

from __future__ import annotations

from django.urls import reverse_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.openapi import found, openapi, operation
from games.api.views.base import ApiView


class SchemaView(ApiView):
    @operation("schema", found(OpenApiTypes.OBJECT, "OpenAPI 3.1."))
    def get(self, request: Request) -> Response:
        """This description."""
        return Response(openapi())


class DocsView(SpectacularSwaggerSplitView):
    """The description for people, without an inline script or style."""

    http_method_names = ("get", "head")
    template_name = "games/api/docs.html"
    url_name = "api:schema"
    url_self = reverse_lazy("api:docs")  # type: ignore[assignment]  # a lazy text
