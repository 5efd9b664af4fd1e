"""When, how long and where a game was played; of the games so far, how long by the times of their entries."""

from datetime import timedelta
from itertools import groupby, pairwise

from django.db import migrations, models

NOT_PLAYED = ("lock", "confirm", "setup", "holder", "correction")


def measure(apps, schema_editor):
    """Minutes without pauses of more than two hours."""
    games, entries = apps.get_model("games", "Game").objects, apps.get_model("games", "LogEntry").objects
    rows = entries.filter(game__status="finished").exclude(kind__in=NOT_PLAYED)
    for game, written in groupby(rows.order_by("game", "seq").values_list("game", "at").iterator(), lambda row: row[0]):
        gaps = [later - earlier for (_, earlier), (_, later) in pairwise(written)]
        played = sum((gap for gap in gaps if timedelta() < gap <= timedelta(hours=2)), timedelta())
        games.filter(pk=game).update(minutes=round(played / timedelta(minutes=1)) or None)


class Migration(migrations.Migration):

    dependencies = [("games", "0016_play_on")]

    operations = [
        migrations.AddField("game", "minutes", models.PositiveIntegerField(null=True)),
        migrations.AddField("game", "place", models.CharField(blank=True, default="", max_length=60)),
        migrations.AddField("game", "note", models.CharField(blank=True, default="", max_length=500)),
        migrations.RunPython(measure, migrations.RunPython.noop),
    ]
