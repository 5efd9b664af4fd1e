"""Before the first sweep there is no trusted clock."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0008_remove_key_superseded"),
    ]

    operations = [
        migrations.AlterField("installation", "clock", models.DateTimeField(null=True)),
    ]
