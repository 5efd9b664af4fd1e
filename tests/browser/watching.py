"""What a browser complains about while no one looks: policy violations, script errors, faults of the server.

Knows: which complaints a browser can make.  Must not know: pages.
"""

from __future__ import annotations

from playwright.sync_api import BrowserContext, ConsoleMessage, Request, Response, WebError

# The policy names features that only other browsers know.
KNOWN_WARNINGS = ("Error with Permissions-Policy header: Unrecognized feature",)

# Where the server has no streams a page polls; Firefox reports each stream that it did not get, Chromium does not.
NO_STREAM = "can’t establish a connection to the server at"

# Refusals are answers like any other; `Watch` looks at the answers themselves.
REFUSED_ANSWER = "Failed to load resource: the server responded with a status of 4"

REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy violated: ${event.violatedDirective} by ${event.blockedURI}`));
"""


class Watch:
    """Collects what a context complains about."""

    def __init__(self, context: BrowserContext | None, address: str) -> None:
        """`context`: None where the driver of the browser does not tell."""
        self.complaints: list[str] = []
        self._address = address
        self._forgiven: tuple[str, ...] = ()
        if context is None:
            return
        context.add_init_script(REPORT_VIOLATIONS)
        context.on("console", self._on_console)
        context.on("weberror", self._on_error)
        context.on("request", self._on_request)
        context.on("response", self._on_response)

    def forgive(self, *texts: str) -> None:
        """Expect these complaints: the test brings them about."""
        self._forgiven += texts

    def _on_console(self, message: ConsoleMessage) -> None:
        text = message.text
        if message.type not in ("error", "warning") or text.startswith((*KNOWN_WARNINGS, REFUSED_ANSWER)):
            return
        if any(forgiven in text for forgiven in self._forgiven):
            return
        self.complaints.append(f"console {message.type}: {text}")

    def _on_error(self, error: WebError) -> None:
        if NO_STREAM not in str(error.error):
            self.complaints.append(f"script error: {error.error}")

    def _on_request(self, request: Request) -> None:
        if not request.url.startswith((self._address, "data:", "about:")):
            self.complaints.append(f"asked somebody else: {request.url}")

    def _on_response(self, response: Response) -> None:
        refusable = response.request.resource_type in ("document", "eventsource", "fetch", "xhr")
        if response.status >= 500 or (response.status >= 400 and not refusable):
            self.complaints.append(f"{response.status} for {response.url}")
