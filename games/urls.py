"""The addresses of the pages."""

from django.urls import URLPattern, URLResolver, include, path
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from games.pages import pwa
from games.pages.analysis import views as analysis
from games.pages.appearance import views as appearance
from games.pages.archive import views as archive
from games.pages.bin import views as bin_views
from games.pages.correct import views as corrections
from games.pages.export import views as exports
from games.pages.feed import views as feed
from games.pages.group_tables import views as group_tables
from games.pages.groups import views as groups
from games.pages.home import views as home
from games.pages.join import views as join
from games.pages.lesson import views as lesson
from games.pages.live import views as live
from games.pages.members import views as members
from games.pages.menu import views as menu
from games.pages.new import views as new
from games.pages.occasion import views as occasions
from games.pages.paper import views as paper
from games.pages.paper_list import views as paper_list
from games.pages.penalty import views as penalty
from games.pages.phones import views as phones
from games.pages.play import views as play
from games.pages.players import views as players
from games.pages.replay import views as replay
from games.pages.screen import views as screen
from games.pages.seasons import views as seasons
from games.pages.seats import views as seats
from games.pages.sheet import views as sheet
from games.pages.shuffle import views as shuffle
from games.pages.statistics import views as statistics

app_name = "games"

table_patterns: list[URLPattern | URLResolver] = [
    path("", play.show, name="table"),
    path("act/", play.act, name="act"),
    path("undo/", play.undo, name="undo"),
    path("undo/<int:seq>/", corrections.undo_to, name="undo_to"),
    path("confirm/<int:number>/", play.confirm_round, name="confirm_round"),
    path("correct/withdraw/<int:seq>/", play.withdraw, name="withdraw_correction"),
    path("asks/", menu.ask_confirmation, name="ask_confirmation"),
    path("markers/", menu.hide_markers, name="hide_markers"),
    path("pad/", play.pad, name="pad"),
    path("quick/", menu.quick, name="quick"),
    path("sheet/", sheet.sheet, name="sheet"),
    path("sheet.csv", sheet.sheet_csv, name="sheet_csv"),
    path("board/", screen.screen, name="screen"),
    path("history/", sheet.history, name="history"),
    path("placements/", sheet.placements, name="placements"),
    path("replay/", replay.replay, name="replay"),
    path("replay/<int:step>/", replay.replay, name="replay_step"),
    path("rules/", sheet.rules, name="rules"),
    path("correct/<int:number>/", corrections.correct, name="correct"),
    path("correct/<int:number>/entries/", corrections.entries, name="correct_entries"),
    path("correct/<int:number>/confirm/", corrections.confirm, name="correct_confirm"),
    path("setup/", corrections.setup, name="setup"),
    path("occasion/", occasions.occasion, name="occasion"),
    path("paper/", paper.correct, name="paper"),
    path("menu/", menu.menu, name="menu"),
    path("phones/", phones.phones, name="phones"),
    path("phones/label/", phones.label, name="label"),
    path("phones/<int:key_id>/revoke/", phones.revoke, name="revoke"),
    path("phones/invites/<int:invite_id>/withdraw/", phones.withdraw, name="withdraw"),
    path("void/", menu.void, name="void"),
    path("penalty/", penalty.penalty, name="penalty"),
    path("finish/", menu.finish, name="finish"),
    path("lock/", menu.lock, name="lock"),
    path("reopen/", menu.reopen, name="reopen"),
    path("delete/", menu.delete, name="delete"),
    path("rematch/", new.rematch, name="rematch"),
    path("group/", group_tables.adopt, name="adopt"),
    path("evening/", groups.evening_of_table, name="table_evening"),
    path("export/", exports.page, name="exports"),
    path("export/<str:name>", exports.file, name="export"),
]

# Further addresses of digital games.
digital_patterns: list[URLPattern | URLResolver] = [
    path("replay/<int:step>/play-on/", replay.play_on, name="play_on"),
    path("shuffle/", shuffle.shuffle, name="shuffle"),
    path("analysis/", analysis.analysis, name="analysis"),
    path("ask/", play.propose, name="ask"),
    path("hint/", play.hint, name="hint"),
    path("hurry/", play.hurry, name="hurry"),
    path("speed/", play.speed, name="speed"),
    path("say/", play.say, name="say"),
    path("answer/", play.answer_proposal, name="answer"),
    path("seat/back/", play.take_back_seat, name="take_back_seat"),
    path("seats/<int:number>/bot/", seats.put_bot, name="seat_bot"),
    path("seats/<int:number>/free/", seats.free, name="seat_free"),
    path("seats/<int:number>/again/", seats.again, name="seat_again"),
    path("seen/", seats.acknowledge, name="seen"),
    path("follow/", seats.follow, name="follow"),
]

group_patterns: list[URLPattern | URLResolver] = [
    path("", groups.group, name="group"),
    path("games/", groups.history, name="group_games"),
    path("games.csv", groups.games_csv, name="group_csv"),
    path("evening/<str:game_id>/", groups.evening, name="evening"),
    path("paper/", paper_list.listed, name="paper_list"),
    path("players/", players.players, name="players"),
    path("players/<str:player_id>/edit/", players.edit_player, name="edit_player"),
    path("players/<str:player_id>/merge/", players.merge_player, name="merge_player"),
    path("players/<str:player_id>/erase/", players.erase_player, name="erase_player"),
    path("players/<str:player_id>/", statistics.player, name="player"),
    path("pairs/<str:one_id>/<str:other_id>/", statistics.pair, name="pair"),
    path("statistics/", statistics.group_statistics, name="group_statistics"),
    path("seasons/", seasons.seasons, name="seasons"),
    path("seasons/<int:season_id>/", seasons.edit, name="edit_season"),
    path("seasons/<int:season_id>/delete/", seasons.delete, name="delete_season"),
    path("keys/", members.keys, name="group_keys"),
    path("settings/", members.settings, name="group_settings"),
    path("archive/", archive.page, name="group_archive"),
    path("archive.gz", archive.file, name="group_file"),
    path("keys/invite/", members.invite, name="group_invite"),
    path("keys/token/", members.new_token, name="group_token"),
    path("keys/<int:key_id>/renew/", members.renew_token, name="group_renew"),
    path("keys/<int:key_id>/revoke/", members.revoke, name="group_revoke"),
    path("keys/invites/<int:invite_id>/withdraw/", members.withdraw, name="group_withdraw"),
    path("name/", members.rename, name="group_rename"),
    path("dissolve/", members.dissolve, name="group_dissolve"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("appearance/", appearance.appearance, name="appearance"),
    path("language/", require_POST(set_language), name="language"),
    path("robots.txt", home.robots, name="robots"),
    path("manifest.webmanifest", pwa.manifest, name="manifest"),
    path("worker.js", pwa.worker, name="worker"),
    path("learn/", lesson.start, name="learn"),
    path("learn/<str:edition>/<int:number>/", lesson.step, name="lesson"),
    path("new/", new.new, name="new"),
    path("new/paper/", paper.new, name="paper_new"),
    path("join/", join.join, name="join"),
    path("tv/", join.tv, name="tv"),
    path("join/<str:token>/", join.join_link, name="join_link"),
    # Below join/, whose addresses no log keeps.
    path("join/bgstats/<str:play>/", exports.bgstats_play, name="bgstats_play"),
    path("join/feed/<str:feed>/", feed.feed, name="feed"),
    path("live/<str:game_id>/", live.stream, name="live"),
    path("live/<str:game_id>/<str:stream>/", live.sign_of_life, name="sign_of_life"),
    path("import/", exports.import_game, name="import"),
    path("bin/g/<str:game_id>/", bin_views.game, name="deleted"),
    path("bin/groups/<str:group_id>/", bin_views.group, name="deleted_group"),
    path("groups/new/", groups.found, name="group_new"),
    path("groups/restore/", archive.restore, name="group_restore"),
    path("groups/<str:group_id>/", include(group_patterns)),
    path("g/<str:game_id>/enter/", group_tables.enter, name="enter"),
    path("g/<str:game_id>/", include(table_patterns)),
    path("g/<str:game_id>/", include(digital_patterns)),
]
