"""Seasons: periods of a group with a name."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("games", "0017_occasion")]

    operations = [
        migrations.CreateModel(
            "Season",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=40)),
                ("since", models.DateField()),
                ("until", models.DateField(null=True)),
                (
                    "group",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="seasons", to="games.group"
                    ),
                ),
            ],
            {
                "ordering": ("-since", "-pk"),
                "constraints": [
                    models.UniqueConstraint(fields=("group", "name"), name="season_name_once"),
                    models.CheckConstraint(
                        condition=models.Q(("until__isnull", True), ("until__gte", models.F("since")), _connector="OR"),
                        name="season_ends_after_it_begins",
                    ),
                ],
            },
        )
    ]
