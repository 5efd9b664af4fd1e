"""The application as a WSGI server loads it. Knows the settings, nothing of the server; sees to it that bots play."""

import os

from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "njetassist.settings")

application = get_wsgi_application()

from django.conf import settings  # noqa: E402  (readable only once Django is set up)

from games.bot_runner import process  # noqa: E402
from games.bot_runner.scheduler import any_running  # noqa: E402  (the same)

if settings.SECRET_KEY_IS_TEMPORARY:
    # Every process would make up its own key and refuse the sessions of the others.
    raise ImproperlyConfigured(
        "There is no secret key: run `manage.py serve` once, or set NJET_SECRET_KEY or NJET_SECRET_KEY_FILE."
    )

# Whichever server this is; phones may be waiting for bots since before it was started.
process.keep(if_wanted=any_running)
