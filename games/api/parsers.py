"""The bodies that the API reads, and the one format that each address answers in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import IO, Any

from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser, JSONParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from games.formats import strict_json


class LongJSONParser(BaseParser):
    """JSON that every database can store and every reader of our answers can parse.

    For a body whose size the middleware has checked, by a limit of its own.
    """

    media_type = "application/json"

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        return strict_json.parsed(stream.read())


class StrictJSONParser(LongJSONParser, JSONParser):
    """The same as a `JSONParser`: only to those does DRF pass a body whose size Django has checked."""


class LongTextParser(BaseParser):
    """A text in UTF-8, of a size that the middleware has checked."""

    media_type = "text/plain"

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        text = strict_json.decoded(stream.read())
        strict_json.check_text(text)
        return text


class OneFormat(BaseContentNegotiation):
    """Every address answers in its own format, for any Accept header."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        sent = request.content_type.partition(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == sent), None)

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type
