"""The addresses below `/api/`.  Knows which endpoint answers where, and that every other address answers JSON too."""

from django.urls import URLPattern, path, re_path

from games.api import groups, results, views, whole_games
from games.api.base import UnknownPath

app_name = "api"

GROUP = "v1/groups/<str:group_id>/"

urlpatterns: list[URLPattern] = [
    path("v1/presets/", views.PresetsView.as_view(), name="presets"),
    path("v1/games/", views.GamesView.as_view(), name="games"),
    # Before the games, one of which is never called so: an id has twelve signs.
    path("v1/games/import/", whole_games.ImportView.as_view(), name="import"),
    path("v1/games/<str:game_id>/", views.GameView.as_view(), name="game"),
    path("v1/games/<str:game_id>/actions/", views.ActionsView.as_view(), name="actions"),
    path("v1/games/<str:game_id>/undo/", views.UndoView.as_view(), name="undo"),
    path("v1/games/<str:game_id>/amend/", views.AmendView.as_view(), name="amend"),
    path("v1/games/<str:game_id>/setup/", views.SetupView.as_view(), name="setup"),
    path("v1/games/<str:game_id>/lock/", views.LockView.as_view(), name="lock"),
    path("v1/games/<str:game_id>/reopen/", views.ReopenView.as_view(), name="reopen"),
    path("v1/games/<str:game_id>/rematch/", views.RematchView.as_view(), name="rematch"),
    path("v1/games/<str:game_id>/proposals/", views.ProposalsView.as_view(), name="proposals"),
    path("v1/games/<str:game_id>/proposals/<int:seq>/", views.ProposalView.as_view(), name="proposal"),
    path("v1/games/<str:game_id>/seats/<int:seat>/bot/", views.SeatBotView.as_view(), name="seat_bot"),
    path("v1/games/<str:game_id>/log/", views.LogView.as_view(), name="log"),
    path("v1/games/<str:game_id>/sheet/", views.SheetView.as_view(), name="sheet"),
    path("v1/games/<str:game_id>/export/", whole_games.ExportView.as_view(), name="export"),
    path("v1/games/<str:game_id>/invites/", views.InvitesView.as_view(), name="invites"),
    path("v1/games/<str:game_id>/keys/", views.KeysView.as_view(), name="keys"),
    path("v1/games/<str:game_id>/keys/<int:key_id>/", views.KeyView.as_view(), name="key"),
    path("v1/join/", views.JoinView.as_view(), name="join"),
    path("v1/groups/", groups.GroupsView.as_view(), name="groups"),
    path(GROUP, groups.GroupView.as_view(), name="group"),
    path(f"{GROUP}players/", groups.GroupPlayersView.as_view(), name="group_players"),
    path(f"{GROUP}players/<str:player_id>/", groups.GroupPlayerView.as_view(), name="group_player"),
    path(f"{GROUP}players/<str:player_id>/merge/", groups.MergeView.as_view(), name="merge"),
    path(f"{GROUP}players/<str:player_id>/erase/", groups.EraseView.as_view(), name="erase"),
    path(f"{GROUP}keys/", groups.GroupKeysView.as_view(), name="group_keys"),
    path(f"{GROUP}keys/<int:key_id>/", groups.GroupKeyView.as_view(), name="group_key"),
    path(f"{GROUP}keys/<int:key_id>/renew/", groups.RenewView.as_view(), name="renew"),
    path(f"{GROUP}invites/", groups.GroupInvitesView.as_view(), name="group_invites"),
    path(f"{GROUP}games/", groups.GroupGamesView.as_view(), name="group_games"),
    path(f"{GROUP}games/<str:game_id>/", groups.GroupGameView.as_view(), name="group_game"),
    path(f"{GROUP}games/<str:game_id>/enter/", groups.EnterView.as_view(), name="enter"),
    path("v1/results/", results.ResultsView.as_view(), name="results"),
    path("v1/results/rounds/", results.RoundsView.as_view(), name="rounds"),
    path("v1/players/", results.PlayersView.as_view(), name="players"),
    path("v1/players/<str:player_id>/statistics/", results.PlayerStatisticsView.as_view(), name="player_statistics"),
    path("v1/pairs/<str:player_id>/<str:other_id>/", results.PairView.as_view(), name="pair"),
    path("v1/statistics/", results.StatisticsView.as_view(), name="statistics"),
    path("v1/schema/", views.SchemaView.as_view(), name="schema"),
    path("v1/docs/", views.DocsView.as_view(), name="docs"),
    # Also a line break, which a plain dot would leave to the pages.
    re_path(r"^[\s\S]*$", UnknownPath.as_view(), name="unknown"),
]
