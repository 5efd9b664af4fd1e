"""Games that play on from a step of a finished one."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("games", "0015_next_game")]

    operations = [migrations.AddField("game", "from_step", models.PositiveIntegerField(null=True))]
