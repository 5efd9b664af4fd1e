"""Every address an URL configuration knows, with something in the place of each parameter.

Knows Django's resolver, so that an address added tomorrow is walked too.
"""

import re
from collections.abc import Iterator

from django.urls import URLPattern, URLResolver
from django.urls.resolvers import RegexPattern, RoutePattern
from django.utils.regex_helper import normalize

# Tried in this order for each converter; the first that the converter's expression accepts is taken.
SAMPLES = ("1", "x", "a1b2c3d4", "A1B2C3D4", "0" * 22, "0" * 32, "00000000-0000-0000-0000-000000000000")


def addresses_of(resolver: URLResolver, prefix: str = "/") -> Iterator[str]:
    for entry in resolver.url_patterns:
        for part in variants(entry.pattern):
            if isinstance(entry, URLPattern):
                yield prefix + part
            else:
                yield from addresses_of(entry, prefix + part)


def variants(pattern: RoutePattern | RegexPattern) -> list[str]:
    if isinstance(pattern, RoutePattern):
        return [re.sub(r"<(?:[^:>]+:)?([^>]+)>", lambda found: sample(pattern, found[1]), str(pattern))]
    return [form % dict.fromkeys(parameters, "1") for form, parameters in normalize(str(pattern))]


def sample(pattern: RoutePattern, parameter: str) -> str:
    expression = pattern.converters[parameter].regex
    for text in SAMPLES:
        if re.fullmatch(expression, text):
            return text
    raise AssertionError(f"Add a sample for {expression} to SAMPLES.")
