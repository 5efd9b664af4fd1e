"""Columns for the speed of a table's bots and for the players who wait for them no longer."""

from django.db import migrations, models
from django.db.models import Q

SPEEDS = [("slow", "Slow"), ("normal", "Normal"), ("fast", "Fast"), ("instant", "Instant")]


class Migration(migrations.Migration):

    dependencies = [("games", "0010_tasks_of_bots")]

    operations = [
        migrations.AddField("game", "speed", models.CharField(max_length=8, choices=SPEEDS, default="normal")),
        migrations.AddField("key", "ready", models.PositiveIntegerField(default=0)),
        migrations.AddConstraint(
            "game",
            models.CheckConstraint(
                condition=Q(speed__in=["slow", "normal", "fast", "instant"]), name="game_speed_known"
            ),
        ),
    ]
