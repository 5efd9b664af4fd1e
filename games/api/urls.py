"""The addresses below `/api/`.  Knows which endpoint answers where, and that every other address answers JSON too."""

from django.urls import URLPattern, path, re_path

from games.api import views
from games.api.base import UnknownPath

app_name = "api"

urlpatterns: list[URLPattern] = [
    path("v1/presets/", views.PresetsView.as_view(), name="presets"),
    path("v1/games/", views.GamesView.as_view(), name="games"),
    path("v1/games/<str:game_id>/", views.GameView.as_view(), name="game"),
    path("v1/games/<str:game_id>/actions/", views.ActionsView.as_view(), name="actions"),
    path("v1/games/<str:game_id>/undo/", views.UndoView.as_view(), name="undo"),
    path("v1/games/<str:game_id>/amend/", views.AmendView.as_view(), name="amend"),
    path("v1/games/<str:game_id>/setup/", views.SetupView.as_view(), name="setup"),
    path("v1/games/<str:game_id>/lock/", views.LockView.as_view(), name="lock"),
    path("v1/games/<str:game_id>/reopen/", views.ReopenView.as_view(), name="reopen"),
    path("v1/games/<str:game_id>/rematch/", views.RematchView.as_view(), name="rematch"),
    path("v1/games/<str:game_id>/log/", views.LogView.as_view(), name="log"),
    path("v1/games/<str:game_id>/sheet/", views.SheetView.as_view(), name="sheet"),
    path("v1/games/<str:game_id>/invites/", views.InvitesView.as_view(), name="invites"),
    path("v1/games/<str:game_id>/keys/", views.KeysView.as_view(), name="keys"),
    path("v1/games/<str:game_id>/keys/<int:key_id>/", views.KeyView.as_view(), name="key"),
    path("v1/join/", views.JoinView.as_view(), name="join"),
    path("v1/schema/", views.SchemaView.as_view(), name="schema"),
    path("v1/docs/", views.DocsView.as_view(), name="docs"),
    # Also a line break, which a plain dot would leave to the pages.
    re_path(r"^[\s\S]*$", UnknownPath.as_view(), name="unknown"),
]
