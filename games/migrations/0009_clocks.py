"""Before the first sweep there is no trusted clock."""

from django.db import migrations, models


def forget(apps, schema_editor):
    """The clock of this start is not trusted either."""
    apps.get_model("games", "Installation").objects.update(clock=None)


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0009_invitations"),
    ]

    operations = [
        migrations.AlterField("installation", "clock", models.DateTimeField(null=True)),
        migrations.RunPython(forget, migrations.RunPython.noop, elidable=True),
    ]
