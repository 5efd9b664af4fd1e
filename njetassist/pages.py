"""The pages as a WSGI application: of them make `wsgi` and `asgi` what a server runs."""

import os

from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "njetassist.settings")

application = get_wsgi_application()

from njetassist import secret_key  # noqa: E402  (needs the settings that the line above sets up)

if not secret_key.is_kept():
    # Every process would create its own key and refuse the sessions of the others.
    raise ImproperlyConfigured(
        "There is no secret key: run `manage.py serve` once, or set NJET_SECRET_KEY or NJET_SECRET_KEY_FILE."
    )
