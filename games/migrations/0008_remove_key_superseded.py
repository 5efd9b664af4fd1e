"""The column whose content `lost` has taken over.  PostgreSQL drops no column in the transaction that changed its rows."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ("games", "0007_honest_keys"),
    ]

    operations = [
        migrations.RemoveField("key", "superseded"),
    ]
