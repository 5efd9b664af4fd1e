"""A task for each digital game with a bot that may be due: from now on a write enqueues what bots have to do."""

from django.db import migrations
from django.db.models import Exists, OuterRef
from django.utils import timezone

BATCH = 500


def enqueue(apps, schema_editor):
    """The tasks of tables that play come before these, of which most find that a player is due."""
    Game, LogEntry = apps.get_model("games", "Game"), apps.get_model("games", "LogEntry")
    Task = apps.get_model("django_tasks_database", "DBTaskResult")
    now, seatings = timezone.now(), LogEntry.objects.filter(game=OuterRef("pk"), kind="seat")
    with_bots = Game.objects.filter(Exists(seatings), mode="digital", status="playing").values_list("pk", "version")
    tasks = (
        Task(
            args_kwargs={"args": [game_id, version], "kwargs": {}},
            task_path="games.bot_runner.tasks.act",
            queue_name="searches",
            backend_name="default",
            priority=-50,
            run_after=now,
        )
        for game_id, version in list(with_bots)
    )
    Task.objects.bulk_create(tasks, batch_size=BATCH)


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0009_uses_of_invitations"),
        ("django_tasks_database", "0021_conditional_partial_index_ordering"),
    ]

    operations = [migrations.RunPython(enqueue, migrations.RunPython.noop)]
