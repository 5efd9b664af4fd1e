"""`python -m tests.harness.bare_gunicorn PORT`: the gunicorn of `manage.py serve`, on any database."""

import os
import socket
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "njetassist.settings")

    from njetassist.asgi import application  # (reads the settings)
    from njetassist.worker import Gunicorn

    Gunicorn(application, socket.create_server(("127.0.0.1", int(sys.argv[1]))).detach()).run()
