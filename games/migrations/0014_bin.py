"""The bin, in which deleted games and groups lie for some weeks."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("games", "0013_hidden_markers")]

    operations = [
        migrations.AddField("game", "deleted_at", models.DateTimeField(null=True)),
        migrations.AddField(
            "game", "deleted_by", models.ForeignKey("games.key", models.SET_NULL, null=True, related_name="+")
        ),
        migrations.AddField(
            "game", "deleted_from", models.ForeignKey("games.group", models.SET_NULL, null=True, related_name="+")
        ),
        migrations.AddField("game", "links", models.JSONField(null=True)),
        migrations.AddField("game", "swept_at", models.DateTimeField(null=True)),
        migrations.AddField("group", "deleted_at", models.DateTimeField(null=True)),
        migrations.AddField(
            "group", "deleted_by", models.ForeignKey("games.groupkey", models.SET_NULL, null=True, related_name="+")
        ),
        migrations.AddField("group", "swept_at", models.DateTimeField(null=True)),
        migrations.AddIndex(
            "game",
            models.Index(condition=models.Q(deleted_at__isnull=False), fields=["deleted_at"], name="game_bin"),
        ),
        migrations.AddIndex(
            "group",
            models.Index(condition=models.Q(deleted_at__isnull=False), fields=["deleted_at"], name="group_bin"),
        ),
        migrations.AddConstraint(
            "game",
            models.CheckConstraint(
                condition=models.Q(deleted_at__isnull=True) | models.Q(group__isnull=True),
                name="game_deleted_has_no_group",
            ),
        ),
    ]
