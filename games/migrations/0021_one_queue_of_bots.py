"""Bots that search are in the queue of all bots: what waits in theirs moves there."""

from django.db import migrations


def move(apps, schema_editor):
    waiting = apps.get_model("django_tasks_database", "DBTaskResult").objects.filter(queue_name="searches")
    waiting.update(queue_name="bots")


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0020_period_figures"),
        ("django_tasks_database", "0021_conditional_partial_index_ordering"),
    ]

    operations = [migrations.RunPython(move, migrations.RunPython.noop)]
