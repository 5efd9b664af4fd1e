"""The addresses below `/api/`; every other address below it is answered in JSON too."""

from django.urls import URLPattern, path, re_path

from games.api.views import analysis, confirmations, games, groups, keys, results, schema, transfer
from games.api.views.base import UnknownPath

app_name = "api"

GROUP = "v1/groups/<str:group_id>/"

urlpatterns: list[URLPattern] = [
    path("v1/presets/", games.PresetsView.as_view(), name="presets"),
    path("v1/games/", games.GamesView.as_view(), name="games"),
    # Before the games, one of which never has this name: an id has twelve characters.
    path("v1/games/import/", transfer.ImportView.as_view(), name="import"),
    path("v1/games/<str:game_id>/", games.GameView.as_view(), name="game"),
    path("v1/games/<str:game_id>/restore/", games.RestoreView.as_view(), name="restore"),
    path("v1/games/<str:game_id>/actions/", games.ActionsView.as_view(), name="actions"),
    path("v1/games/<str:game_id>/undo/", games.UndoView.as_view(), name="undo"),
    path("v1/games/<str:game_id>/amend/", games.AmendView.as_view(), name="amend"),
    path("v1/games/<str:game_id>/confirmations/", confirmations.ConfirmationsView.as_view(), name="confirmations"),
    path("v1/games/<str:game_id>/confirmations/asked/", confirmations.AskedView.as_view(), name="asked"),
    path("v1/games/<str:game_id>/corrections/<int:seq>/", confirmations.CorrectionView.as_view(), name="correction"),
    path("v1/games/<str:game_id>/setup/", games.SetupView.as_view(), name="setup"),
    path("v1/games/<str:game_id>/occasion/", games.OccasionView.as_view(), name="occasion"),
    path("v1/games/<str:game_id>/lock/", games.LockView.as_view(), name="lock"),
    path("v1/games/<str:game_id>/reopen/", games.ReopenView.as_view(), name="reopen"),
    path("v1/games/<str:game_id>/rematch/", games.RematchView.as_view(), name="rematch"),
    path("v1/games/<str:game_id>/play-on/", games.PlayOnView.as_view(), name="play_on"),
    path("v1/games/<str:game_id>/proposals/", games.ProposalsView.as_view(), name="proposals"),
    path("v1/games/<str:game_id>/proposals/<int:seq>/", games.ProposalView.as_view(), name="proposal"),
    path("v1/games/<str:game_id>/seats/<int:seat>/bot/", games.SeatBotView.as_view(), name="seat_bot"),
    path("v1/games/<str:game_id>/log/", games.LogView.as_view(), name="log"),
    path("v1/games/<str:game_id>/sheet/", games.SheetView.as_view(), name="sheet"),
    path("v1/games/<str:game_id>/analysis/", analysis.AnalysisView.as_view(), name="analysis"),
    path("v1/games/<str:game_id>/export/", transfer.ExportView.as_view(), name="export"),
    path("v1/games/<str:game_id>/invites/", keys.InvitesView.as_view(), name="invites"),
    path("v1/games/<str:game_id>/invites/<int:invite_id>/", keys.InviteView.as_view(), name="invite"),
    path("v1/games/<str:game_id>/keys/", keys.KeysView.as_view(), name="keys"),
    path("v1/games/<str:game_id>/keys/<int:key_id>/", keys.KeyView.as_view(), name="key"),
    path("v1/join/", keys.JoinView.as_view(), name="join"),
    path("v1/groups/", groups.GroupsView.as_view(), name="groups"),
    path(GROUP, groups.GroupView.as_view(), name="group"),
    path(f"{GROUP}players/", groups.GroupPlayersView.as_view(), name="group_players"),
    path(f"{GROUP}players/<str:player_id>/", groups.GroupPlayerView.as_view(), name="group_player"),
    path(f"{GROUP}players/<str:player_id>/merge/", groups.MergeView.as_view(), name="merge"),
    path(f"{GROUP}players/<str:player_id>/erase/", groups.EraseView.as_view(), name="erase"),
    path(f"{GROUP}seasons/", groups.SeasonsView.as_view(), name="seasons"),
    path(f"{GROUP}seasons/<int:season_id>/", groups.SeasonView.as_view(), name="season"),
    path(f"{GROUP}keys/", groups.GroupKeysView.as_view(), name="group_keys"),
    path(f"{GROUP}keys/<int:key_id>/", groups.GroupKeyView.as_view(), name="group_key"),
    path(f"{GROUP}keys/<int:key_id>/renew/", groups.RenewView.as_view(), name="renew"),
    path(f"{GROUP}invites/", groups.GroupInvitesView.as_view(), name="group_invites"),
    path(f"{GROUP}invites/<int:invite_id>/", groups.GroupInviteView.as_view(), name="group_invite"),
    path(f"{GROUP}games/", groups.GroupGamesView.as_view(), name="group_games"),
    path(f"{GROUP}games/<str:game_id>/", groups.GroupGameView.as_view(), name="group_game"),
    path(f"{GROUP}games/<str:game_id>/enter/", groups.EnterView.as_view(), name="enter"),
    path("v1/results/", results.ResultsView.as_view(), name="results"),
    path("v1/results/rounds/", results.RoundsView.as_view(), name="rounds"),
    path("v1/players/", results.PlayersView.as_view(), name="players"),
    path("v1/players/<str:player_id>/statistics/", results.PlayerStatisticsView.as_view(), name="player_statistics"),
    path("v1/pairs/<str:player_id>/<str:other_id>/", results.PairView.as_view(), name="pair"),
    path("v1/statistics/", results.StatisticsView.as_view(), name="statistics"),
    path("v1/schema/", schema.SchemaView.as_view(), name="schema"),
    path("v1/docs/", schema.DocsView.as_view(), name="docs"),
    # Also a line break, which a plain dot would leave to the pages.
    re_path(r"^[\s\S]*$", UnknownPath.as_view(), name="unknown"),
]
