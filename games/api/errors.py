"""Every refusal below `/api/` in one shape: {"error": {"code", "message", "params"}}."""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.db import OperationalError
from django.http import Http404, HttpRequest, JsonResponse, UnreadablePostError
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views import defaults
from rest_framework import exceptions

from games.api.serializers.state import state_of
from games.errors import NotAuthenticated, NotFound, StaleVersion, headers_of, of_database, status_of
from games.rules.errors import Malformed, NjetError
from games.texts import refusals

logger = logging.getLogger(__name__)

PREFIX = "/api/"


def body_too_large() -> str:
    """The sentence for a request that is too large."""
    return _("A request may carry at most {size} KB.").format(size=64)


def refusal(
    status: int,
    code: str,
    message: str,
    params: Mapping[str, object] | None = None,
    headers: Mapping[str, str] | None = None,
) -> JsonResponse:
    """The answer to a request that is refused."""
    body = {"error": {"code": code, "message": message, "params": dict(params or {})}}
    return JsonResponse(body, status=status, headers=headers)


def exception_handler(error: Exception, context: Mapping[str, Any]) -> JsonResponse | None:
    """The answer to an exception of an endpoint; None for a bug.

    JSON even from endpoints that render another format, so it is not a `Response`.
    """
    match error:
        case NjetError():
            return _of_njet_error(error, context)
        case exceptions.NotAuthenticated():
            return _of_njet_error(NotAuthenticated(), context)
        case Http404() | exceptions.NotFound():
            return _of_njet_error(NotFound(), context)
        case exceptions.MethodNotAllowed():
            method = context["request"].method
            message = _("{method} is not possible here.").format(method=method)
            return refusal(405, "method_not_allowed", message, {"method": method})
        case exceptions.UnsupportedMediaType():
            supported = [parser.media_type for parser in context["view"].parser_classes]
            message = _("Requests are sent in one of these formats: {formats}.").format(formats=", ".join(supported))
            return refusal(415, "unsupported_media_type", message, {"supported": supported})
        case RequestDataTooBig():
            return refusal(413, "body_too_large", body_too_large())
        case UnreadablePostError():
            return _of_njet_error(Malformed(problem="broken"), context)
        case OperationalError():
            return _of_database(error, context)
    return None


def _of_database(error: OperationalError, context: Mapping[str, Any]) -> JsonResponse | None:
    failure = of_database(error)
    if failure is None:
        return None
    logger.error("the database failed", exc_info=error)
    return _of_njet_error(failure, context)


def _of_njet_error(error: NjetError, context: Mapping[str, Any]) -> JsonResponse:
    params, headers = dict(error.params), headers_of(error)
    match error:
        case StaleVersion():
            key = context["request"].auth
            params["state"] = state_of(error.ledger, key.game, may_record=key.may_record)
        case NotAuthenticated():
            headers["WWW-Authenticate"] = "Bearer"
    return refusal(status_of(error), error.code, refusals.bare_sentence(error), params, headers)


# --- errors outside of the endpoints, which Django answers for the whole site ---


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    """A request that is refused before an endpoint sees it."""
    if not request.path_info.startswith(PREFIX):
        return defaults.bad_request(request, exception)
    return refusal(400, Malformed.code, refusals.bare_sentence(Malformed(problem="broken")))


def server_error(request: HttpRequest) -> HttpResponseBase:
    """A bug is logged and not described; a failure of the database is described with its remedy."""
    failure = of_database(sys.exception())
    if request.path_info.startswith(PREFIX):
        if failure is None:
            return refusal(500, "server_error", _("Something went wrong on the server."))
        return refusal(failure.status, failure.code, refusals.bare_sentence(failure))
    if failure is None:
        return defaults.server_error(request)
    context = {"sentence": refusals.error_sentence(failure), "code": failure.code}
    return render(request, "games/errors/refused.html", context, status=failure.status)
