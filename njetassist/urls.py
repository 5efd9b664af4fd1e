"""The root of the URLs: the API and the pages of `games`."""

from django.urls import include, path

urlpatterns = [
    path("api/", include("games.api.urls")),
    path("", include("games.urls")),
]

# Below `api/` these answer JSON, elsewhere a page.
handler404 = "games.pages.errors.page_not_found"
handler400 = "games.api.errors.bad_request"
handler500 = "games.api.errors.server_error"
