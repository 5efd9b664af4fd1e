"""Who played for a seat before somebody else took it over."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("games", "0018_seasons")]

    operations = [
        migrations.CreateModel(
            "Stint",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("order", models.PositiveSmallIntegerField()),
                ("number", models.PositiveSmallIntegerField()),
                ("name", models.CharField(max_length=40)),
                ("until", models.PositiveSmallIntegerField()),
                ("counted_at", models.DateTimeField(null=True)),
                ("form", models.JSONField(null=True)),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="stints", to="games.game"
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="stints",
                        to="games.player",
                    ),
                ),
            ],
            options={
                "ordering": ("game", "order"),
                "constraints": [models.UniqueConstraint(fields=("game", "order"), name="stint_once")],
            },
        )
    ]
