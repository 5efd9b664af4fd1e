"""The row about this database."""

from django.db import migrations


def describe(apps, schema_editor):
    apps.get_model("games", "Installation").objects.get_or_create()


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0008_remove_key_superseded"),
    ]

    operations = [
        migrations.RunPython(describe, migrations.RunPython.noop, elidable=False),
    ]
