"""gunicorn, which keeps several processes on PostgreSQL: started in this process, with uvicorn's worker."""

from typing import Any

from gunicorn.app.base import BaseApplication
from uvicorn_worker import UvicornWorker

from njetassist.uvicorn_options import OPTIONS


class Worker(UvicornWorker):  # type: ignore[misc]  # (without types)
    """The worker of gunicorn."""

    CONFIG_KWARGS = OPTIONS


class Gunicorn(BaseApplication):
    """gunicorn in this process, which loads the application for its workers."""

    def __init__(self, listener: int) -> None:
        """`listener`: the descriptor of the socket, which gunicorn closes."""
        self.listener = listener
        super().__init__()

    def load_config(self) -> None:
        from njetassist import gunicorn_conf  # (names this module)

        assert self.cfg is not None, "gunicorn has made it"
        for name, value in vars(gunicorn_conf).items():
            if name in self.cfg.settings:
                self.cfg.set(name, value)
        self.cfg.set("bind", f"fd://{self.listener}")

    def load(self) -> Any:
        from njetassist.asgi import application  # (needs the key)

        return application
