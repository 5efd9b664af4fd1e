"""The root of all addresses. Knows which app answers below which prefix, and no single page.

The order matters once: whatever is mounted below `api/` comes before the pages.
"""

from django.urls import include, path

urlpatterns = [
    path("api/", include("games.api.urls")),
    path("", include("games.urls")),
]

# Below `api/` these answer JSON, elsewhere what Django answers.
handler404 = "games.pages.errors.page_not_found"
handler400 = "games.api.errors.bad_request"
handler500 = "games.api.errors.server_error"
