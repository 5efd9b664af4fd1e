"""A process beside the server, for what takes tenths of a second and no database, so that other requests go on.

It starts when it is first needed and ends with its parent, however that ends.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from typing import ParamSpec, TypeVar

import django

P = ParamSpec("P")
T = TypeVar("T")


def run(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What a function of a module answers in the process.  It is given and answers what can be pickled.

    Errors: its own; `BrokenProcessPool` if the process was killed: the next call starts another one.
    """
    try:
        return _process().submit(function, *args, **kwargs).result()
    except BrokenProcessPool:
        _process.cache_clear()
        raise


@cache
def _process() -> ProcessPoolExecutor:
    # Not forked: the server has threads.
    return ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _begin)


def _begin() -> None:
    # Who ends the server in a terminal ends this with it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    django.setup()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None, "this runs in a child"
    parent.join()
    os._exit(0)
