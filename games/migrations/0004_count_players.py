from django.db import migrations


def count_players(apps, schema_editor):
    """Games that were there before know how many sit at them."""
    Seat = apps.get_model('games', 'Seat')
    Game = apps.get_model('games', 'Game')
    for players in range(2, 6):
        seats = Seat.objects.filter(number=players - 1).values('game')
        more = Seat.objects.filter(number=players).values('game')
        Game.objects.filter(pk__in=seats).exclude(pk__in=more).update(players=players)


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0003_groups'),
    ]

    operations = [
        migrations.RunPython(count_players, migrations.RunPython.noop),
    ]
