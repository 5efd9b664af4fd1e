"""Columns for the phone that used an invitation, and the row about this database."""

import django.db.models.deletion
from django.db import migrations, models


def fill(apps, schema_editor):
    """An invitation to a seat ends with its use, also one that was made before."""
    apps.get_model("games", "Invite").objects.filter(role="seat").update(single_use=True)
    Installation = apps.get_model("games", "Installation")
    if not Installation.objects.exists():
        Installation.objects.create()


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0008_remove_key_superseded"),
    ]

    operations = [
        migrations.AlterField("installation", "clock", models.DateTimeField(null=True)),
        migrations.AddField("invite", "used_by", models.CharField(max_length=64, default="", blank=True)),
        migrations.AddField(
            "invite",
            "key",
            models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="games.key"),
        ),
        migrations.AddField("groupinvite", "used_by", models.CharField(max_length=64, default="", blank=True)),
        migrations.AddField(
            "groupinvite",
            "key",
            models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="games.groupkey"),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
