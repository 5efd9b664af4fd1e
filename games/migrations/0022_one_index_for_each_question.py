"""No index of a foreign key beside one that begins with its column; repeated requests are looked for where there are any.

The indexes are dropped by themselves: on SQLite Django would copy every table, and the log is large.
"""

from django.db import migrations, models


def key(to, related_name):
    return models.ForeignKey(to, models.CASCADE, related_name=related_name, db_index=False)


def key_or_none(to, related_name):
    return models.ForeignKey(to, models.SET_NULL, null=True, related_name=related_name, db_index=False)


FIELDS = {
    ("player", "group"): key("games.group", "players"),
    ("pair", "one"): key("games.player", "+"),
    ("periodfigures", "group"): key("games.group", "+"),
    ("season", "group"): key("games.group", "seasons"),
    ("game", "group"): key_or_none("games.group", "games"),
    ("seat", "game"): key("games.game", "seats"),
    ("seat", "player"): key_or_none("games.player", "seats"),
    ("stint", "game"): key("games.game", "stints"),
    ("logentry", "game"): key("games.game", "+"),
    ("analysis", "game"): key("games.game", "analyses"),
    ("lostresult", "group"): key("games.group", "+"),
}


def drop(apps, schema_editor):
    for name, field in FIELDS:
        model = apps.get_model("games", name)
        column = model._meta.get_field(field).column
        with schema_editor.connection.cursor() as cursor:
            found = schema_editor.connection.introspection.get_constraints(cursor, model._meta.db_table)
        for index, about in found.items():
            if about["index"] and about["columns"] == [column] and not about["unique"]:
                schema_editor.remove_index(model, models.Index(fields=[field], name=index))


class Migration(migrations.Migration):

    dependencies = [("games", "0021_one_queue_of_bots")]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(drop, migrations.RunPython.noop)],
            state_operations=[migrations.AlterField(*where, field) for where, field in FIELDS.items()],
        ),
        migrations.RemoveConstraint("logentry", "entry_request_once"),
        migrations.AddConstraint(
            "logentry",
            models.UniqueConstraint(
                fields=("game", "actor", "request_id"),
                name="entry_request_once",
                condition=models.Q(request_id__isnull=False),
            ),
        ),
    ]
