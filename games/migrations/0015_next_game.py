"""Where the phones of a finished game go on, and which key a key that they got there follows."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def find_first_rematches(apps, schema_editor):
    """A game that has rematches already goes on with the first of them."""
    games = apps.get_model("games", "Game").objects
    rematches = games.filter(rematch_of=OuterRef("pk")).order_by("created_at", "pk")
    games.update(next=Subquery(rematches.values("pk")[:1]))


class Migration(migrations.Migration):

    dependencies = [("games", "0014_bin")]

    operations = [
        migrations.AddField(
            "game",
            "next",
            models.OneToOneField(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="previous", to="games.game"
            ),
        ),
        migrations.AddField(
            "key",
            "follows",
            models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="followed_by", to="games.key"
            ),
        ),
        migrations.RunPython(find_first_rematches, migrations.RunPython.noop),
    ]
