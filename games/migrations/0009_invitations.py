"""Columns for the phone that used an invitation."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0008_remove_key_superseded"),
    ]

    operations = [
        operation
        for invite, key in (("invite", "games.key"), ("groupinvite", "games.groupkey"))
        for operation in (
            migrations.AddField(invite, "used_by", models.CharField(max_length=64, default="", blank=True)),
            migrations.AddField(
                invite,
                "key",
                models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to=key),
            ),
        )
    ]
