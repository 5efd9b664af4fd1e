"""The WSGI application, for a server without streams. Loading it also starts the workers of the tasks that are left."""

from njetassist.pages import application

from games.bot_runner import process  # isort: skip  (needs the settings that the line above sets up)

__all__ = ["application"]

# Players may have been waiting for bots since before the server was started.
process.begin()
