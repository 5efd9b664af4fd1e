"""A table for what the decisions of a seat in a finished digital game were worth."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("games", "0011_pace")]

    operations = [
        migrations.CreateModel(
            "Analysis",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "game",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="analyses", to="games.game"
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                ("version", models.PositiveIntegerField()),
                ("done", models.PositiveIntegerField(default=0)),
                ("result", models.JSONField(default=dict)),
                ("computed_at", models.DateTimeField(null=True)),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("game", "seat"), name="analysis_once")],
            },
        ),
    ]
