"""The addresses of the pages. Knows which view answers where, and nothing about what it answers."""

from django.urls import URLPattern, URLResolver, include, path

from games.views import app, corrections, home, live, manage, screen, sheet, table

app_name = "games"

table_patterns: list[URLPattern | URLResolver] = [
    path("", table.table, name="table"),
    path("act/", table.act, name="act"),
    path("undo/", table.undo, name="undo"),
    path("undo/<int:seq>/", corrections.undo_to, name="undo_to"),
    path("quick/", manage.quick, name="quick"),
    path("sheet/", sheet.sheet, name="sheet"),
    path("sheet.csv", sheet.sheet_csv, name="sheet_csv"),
    path("board/", screen.screen, name="screen"),
    path("history/", sheet.history, name="history"),
    path("rules/", sheet.rules, name="rules"),
    path("correct/<int:number>/", corrections.correct, name="correct"),
    path("correct/<int:number>/confirm/", corrections.confirm, name="correct_confirm"),
    path("setup/", corrections.setup, name="setup"),
    path("menu/", manage.menu, name="menu"),
    path("phones/", manage.phones, name="phones"),
    path("phones/label/", manage.label, name="label"),
    path("phones/<int:key_id>/revoke/", manage.revoke, name="revoke"),
    path("void/", manage.void, name="void"),
    path("penalty/", manage.penalty, name="penalty"),
    path("finish/", manage.finish, name="finish"),
    path("lock/", manage.lock, name="lock"),
    path("reopen/", manage.reopen, name="reopen"),
    path("delete/", manage.delete, name="delete"),
    path("rematch/", manage.rematch, name="rematch"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("manifest.webmanifest", app.manifest, name="manifest"),
    path("worker.js", app.worker, name="worker"),
    path("new/", home.new, name="new"),
    path("join/", home.join, name="join"),
    path("join/<str:token>/", home.join_link, name="join_link"),
    path("live/<str:game_id>/", live.stream, name="live"),
    path("live/<str:game_id>/<str:stream>/", live.sign_of_life, name="sign_of_life"),
    path("g/<str:game_id>/", include(table_patterns)),
]
