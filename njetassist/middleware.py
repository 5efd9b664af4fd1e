"""Middleware for every request and answer: trusted proxies, security headers, allowed hosts, size limits."""

import logging
import re
from collections.abc import Callable
from typing import cast

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.middleware.security import SecurityMiddleware
from django.utils import timezone
from django.utils.decorators import decorator_from_middleware
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from games.keys import addresses
from games.pages.time_zone import zone_of
from njetassist.bridge import BUSY

logger = logging.getLogger(__name__)

GetResponse = Callable[[HttpRequest], HttpResponseBase]

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'; media-src 'self'"
)

# Sharing needs no entry: it is allowed by default, and Chromium complains about its name where it cannot share.
PERMISSIONS_POLICY = (
    "accelerometer=(), autoplay=(), camera=(), clipboard-read=(), display-capture=(), geolocation=(), gyroscope=(), "
    "hid=(), identity-credentials-get=(), idle-detection=(), local-fonts=(), magnetometer=(), microphone=(), midi=(), "
    "otp-credentials=(), payment=(), publickey-credentials-create=(), publickey-credentials-get=(), serial=(), "
    "storage-access=(), usb=(), window-management=(), xr-spatial-tracking=(), fullscreen=(self), "
    "screen-wake-lock=(self), clipboard-write=(self)"
)

# The headers that Django's SecurityMiddleware and XFrameOptionsMiddleware do not send.
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cross-Origin-Embedder-Policy": "require-corp",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": PERMISSIONS_POLICY,
}

DOCUMENTS_ONLY = (
    "Content-Security-Policy",
    "Cross-Origin-Embedder-Policy",
    "Cross-Origin-Opener-Policy",
    "Permissions-Policy",
    "Referrer-Policy",
    "Strict-Transport-Security",
    "X-Frame-Options",
)
"""Headers that browsers apply to documents only, not to scripts, styles and images."""

RETRY_AFTER = "5"
"""Seconds after which a client may repeat a request that was refused with 503 or 507."""

UNLISTED = ("/join/", "/g/", "/groups/")
"""Paths that search engines must not list: tables and groups are open to people with a link only."""

FORWARDED = ("HTTP_FORWARDED", "HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_HOST", "HTTP_X_FORWARDED_PROTO")


@decorator_from_middleware(LocaleMiddleware)
def refusal(request: HttpRequest, status: int, code: str, message: Promise, **params: object) -> HttpResponse:
    """An answer without a view, in the language of the request: one sentence, below `/api/` an error document."""
    if request.path_info.startswith("/api/"):
        return JsonResponse({"error": {"code": code, "message": str(message), "params": params}}, status=status)
    return HttpResponse(str(message), status=status, content_type="text/plain; charset=utf-8")


class Middleware:
    """The base of the middleware below."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response


class ForwardedByTrustedProxies(Middleware):
    """Removes the forwarding headers of a request unless a configured proxy has sent it."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not addresses.is_trusted_proxy(request.META.get("REMOTE_ADDR", "")):
            for header in FORWARDED:
                request.META.pop(header, None)
        return self.get_response(request)


class SecurityHeaders(Middleware):
    """Adds the security headers, `no-store` where Cache-Control is not set, and Retry-After to 503 and 507.

    Hashed static files are sent as immutable: they get no ETag and none of the headers for documents (1.1 KB a file).
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        for name, value in HEADERS.items():
            response.headers[name] = value
        if "immutable" in response.headers.get("Cache-Control", ""):
            # A file that never changes needs no ETag beside Last-Modified.
            for name in (*DOCUMENTS_ONLY, "ETag"):
                response.headers.pop(name, None)
        response.headers.setdefault("Cache-Control", "no-store")
        if response.status_code in (503, 507):
            response.headers.setdefault("Retry-After", RETRY_AFTER)
        if request.path_info.startswith(UNLISTED):
            response.headers["X-Robots-Tag"] = "noindex"
        if request.path_info.startswith("/join/"):
            # The address is a key: send only the origin as referrer, which the form of the page needs.
            response.headers["Referrer-Policy"] = "strict-origin"
            # The camera may read the code of an invitation.
            response.headers["Permissions-Policy"] = PERMISSIONS_POLICY.replace("camera=()", "camera=(self)")
        return response


class TimeZoneOfReader(Middleware):
    """Makes the time zone of the phone that asks the current one; the API keeps UTC."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        zone = None if request.path_info.startswith("/api/") else zone_of(request)
        with timezone.override(zone):
            return self.get_response(request)


class HeadAsGet(Middleware):
    """Answers HEAD with the headers of a GET, wherever GET is allowed; the server leaves out the body."""

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        asked = request.method
        if asked == "HEAD":
            request.method = "GET"
        response = self.get_response(request)
        request.method = asked
        return response


class ApiOverHttps(Middleware):
    """Refuses API requests over plain http where https is served: a redirect would hide that a key was exposed.

    Everything else has been redirected by then.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if settings.SECURE_SSL_REDIRECT and not request.is_secure():
            sentence = _("The API answers over https only. Replace a key that was sent without it.")
            return refusal(request, 403, "https_required", sentence)
        return self.get_response(request)


class KnownHosts(Middleware):
    """Refuses unknown host names, also for static files.

    In the lan profile ALLOWED_HOSTS begins with a star, because Django cannot match networks. There a host is known
    if it is a private address or one of the names after the star.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not self.is_known(request):
            logger.warning("Refused a request for the unknown host %.100r.", request.META.get("HTTP_HOST", ""))
            sentence = _("This server does not answer to that host name. The setting NJET_HOSTS adds names.")
            refused = refusal(request, 400, "unknown_host", sentence)
            # This answer comes before the middleware that gives all others its headers.
            return SecurityMiddleware(self.get_response).process_response(request, cast("HttpResponse", refused))
        return self.get_response(request)

    @staticmethod
    def is_known(request: HttpRequest) -> bool:
        try:
            host = request.get_host()
        except DisallowedHost:
            return False
        domain = re.sub(r":[0-9]+$", "", host.lower()).rstrip(".")
        return addresses.is_private_host(domain) or any(
            domain == each or (each[0] == "." and f".{domain}".endswith(each)) for each in settings.ALLOWED_HOSTS
        )


LONGEST = 8190
"""Characters of an address, and of a header."""


def body_limit(path: str) -> int:
    """The most bytes of a body."""
    return settings.LONGER_BODIES.get(path, settings.BODY_LIMIT)


class Limits(Middleware):
    """Refuses long addresses and headers, bodies that are larger than any valid request for the path, which are not
    read, and what the server has no thread for.
    """

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.META.get(BUSY):
            return refusal(request, 503, "server_busy", _("The server has too much to do. Try again in a few seconds."))
        if len(request.META.get("PATH_INFO", "")) + len(request.META.get("QUERY_STRING", "")) > LONGEST:
            return refusal(request, 414, "address_too_long", _("The address is too long."))
        if any(len(value) > LONGEST for name, value in request.META.items() if name.startswith("HTTP_")):
            return refusal(request, 431, "headers_too_large", _("A header is too long."))
        if "HTTP_TRANSFER_ENCODING" in request.META:
            # Django would read such a body as an empty one; beside a length, a proxy may see another end of it.
            sentence = _("A request with a body has to say how long it is (Content-Length).")
            return refusal(request, 400, "malformed", sentence)
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not re.fullmatch("[0-9]+", length):
            return refusal(request, 400, "malformed", _("The Content-Length is not a number."))
        limit = body_limit(request.path_info)
        # The digits are counted first: Python refuses to read a number of thousands of digits.
        if len(length) > 9 or int(length) > limit:
            sentence = format_lazy(_("A request may carry at most {kilobytes} KB."), kilobytes=limit // 1024)
            return refusal(request, 413, "body_too_large", sentence, limit=limit)
        return self.get_response(request)
