"""A column for tables that do not show whose marker is whose."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("games", "0012_analysis")]

    operations = [migrations.AddField("game", "hides_markers", models.BooleanField(default=False))]
