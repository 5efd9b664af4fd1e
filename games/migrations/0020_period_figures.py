"""What the games of a period add up to.  `serve` counts every group again when it starts, which fills the table."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("games", "0019_stints")]

    operations = [
        migrations.CreateModel(
            "PeriodFigures",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("owner", models.CharField(blank=True, max_length=25)),
                ("period", models.CharField(blank=True, max_length=11)),
                ("preset", models.CharField(max_length=32)),
                ("players", models.PositiveSmallIntegerField()),
                ("figures", models.JSONField(default=dict)),
                (
                    "group",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="games.group"
                    ),
                ),
            ],
            {
                "constraints": [
                    models.UniqueConstraint(
                        fields=("group", "owner", "period", "preset", "players"), name="period_figures_once"
                    )
                ],
            },
        )
    ]
