"""The WSGI application. Loading it also starts the workers of the tasks that are left."""

import os

from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "njetassist.settings")

application = get_wsgi_application()

from django.conf import settings  # noqa: E402  (readable only once Django is set up)

from games.bot_runner import process  # noqa: E402  (the same)

if settings.SECRET_KEY_IS_TEMPORARY:
    # Every process would create its own key and refuse the sessions of the others.
    raise ImproperlyConfigured(
        "There is no secret key: run `manage.py serve` once, or set NJET_SECRET_KEY or NJET_SECRET_KEY_FILE."
    )

# Players may have been waiting for bots since before the server was started.
process.begin()
