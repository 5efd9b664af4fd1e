"""Columns for keys that were lost, invitations with one use, limits by address, and the sweep's clock."""

from datetime import timedelta

import django.utils.timezone
from django.db import migrations, models

import games.models

AT_ONCE = timedelta(seconds=5)


def fill(apps, schema_editor):
    """State in columns what was read from times and roles before."""
    Key = apps.get_model("games", "Key")
    Invite = apps.get_model("games", "Invite")
    Key.objects.filter(superseded=True).update(lost="claimed")
    Invite.objects.filter(role="seat").update(single_use=True)
    seats = Key.objects.filter(role="seat", secret_hash=None).order_by("pk")
    for game_id in set(seats.values_list("game", flat=True)):
        first = Key.objects.filter(game=game_id, secret_hash=None).order_by("pk").first()
        until = first.created_at + AT_ONCE
        seats.filter(game=game_id, pk__gt=first.pk, created_at__gte=first.created_at, created_at__lte=until).update(
            at_opening=True
        )


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0006_digital"),
    ]

    operations = [
        migrations.RenameModel("JoinGate", "LimitGate"),
        migrations.RenameModel("FailedJoin", "Attempt"),
        migrations.RemoveIndex("attempt", "failed_join_window"),
        migrations.AddField(
            "attempt",
            "purpose",
            models.CharField(
                choices=[("code", "Code"), ("create", "Create"), ("import", "Import"), ("found", "Found")],
                default="code",
                max_length=8,
            ),
        ),
        migrations.AddIndex(
            "attempt", models.Index(fields=["purpose", "at", "address_hash"], name="attempt_window")
        ),
        migrations.CreateModel(
            "Installation",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("epoch", models.CharField(default=games.models.new_epoch, max_length=16)),
                ("clock", models.DateTimeField(default=django.utils.timezone.now)),
            ],
        ),
        migrations.AddField("game", "asks_confirmation", models.BooleanField(default=False)),
        migrations.AddField("group", "creation_id", models.CharField(max_length=64, null=True, unique=True)),
        migrations.AddField("invite", "uses", models.PositiveIntegerField(default=0)),
        migrations.AddField("invite", "single_use", models.BooleanField(default=False)),
        migrations.AddField("groupinvite", "uses", models.PositiveIntegerField(default=0)),
        migrations.AddField("groupinvite", "single_use", models.BooleanField(default=False)),
        migrations.AddField("key", "at_opening", models.BooleanField(default=False)),
        migrations.AddField(
            "key",
            "lost",
            models.CharField(
                blank=True,
                choices=[("claimed", "Claimed"), ("freed", "Freed"), ("revoked", "Revoked")],
                default="",
                max_length=8,
            ),
        ),
        migrations.AddField("key", "lost_at", models.PositiveIntegerField(null=True)),
        migrations.AddField("key", "seen", models.PositiveIntegerField(default=0)),
        migrations.RunPython(fill, migrations.RunPython.noop, elidable=True),
    ]
