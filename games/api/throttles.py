"""Limits on what a key writes in a second, and on what an address creates without a key."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from games.keys import limits
from games.keys.addresses import client_address
from games.keys.write_rate import write_rate
from games.models import GroupKey, Key


class WriteThrottle(BaseThrottle):
    """Counts what a key writes."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Whether the request may go on; a refusal is raised, because DRF's has another code.

        Errors: `TooManyWrites`.
        """
        key = request.auth
        if request.method in ("POST", "DELETE") and isinstance(key, Key | GroupKey):
            write_rate.count(key)
        return True


class StrangerThrottle(BaseThrottle):
    """Counts what an address creates without a key."""

    limit: limits.Limit

    def allow_request(self, request: Request, view: APIView) -> bool:
        """The same.

        Errors: `TooManyCreations`.
        """
        # A page of another site lets the browsers of its visitors send what no parser reads.
        is_read = view.get_content_negotiator().select_parser(request, view.get_parsers()) is not None
        if request.method == "POST" and request.auth is None and is_read:
            limits.count_stranger(client_address(request), self.limit)
        return True


class CreationThrottle(StrangerThrottle):
    """For new games."""

    limit = limits.CREATIONS


class ImportThrottle(StrangerThrottle):
    """For imported games."""

    limit = limits.IMPORTS


class FoundationThrottle(StrangerThrottle):
    """For new groups."""

    limit = limits.FOUNDATIONS
