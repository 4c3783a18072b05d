"""One snippet, in a process of its own: run it, say what came of it, save its open figures."""

from __future__ import annotations

import ast
import builtins
import errno
import functools
import importlib
import io
import json
import linecache
import os
import sys
import traceback
import types
from typing import Any, cast

from . import client
from .confine import use_spare

NAME = "<snippet>"
SAVED = "_saved_by_snippet"
"""Attribute of a figure that the snippet itself has saved."""

HEAD, TAIL = 2_000, 6_000
"""Characters of an error's text that are kept when it is too long."""


def prepare_libraries() -> None:
    """Import what snippets use most, and set it up; once, before any is run."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # so that what was printed survives a kill
            stream.reconfigure(line_buffering=True, errors="backslashreplace")
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.figure
    import pandas as pd

    pd.set_option("display.width", 160, "display.max_columns", 30, "display.max_rows", 60)
    plt = _pyplot()
    cls: Any = matplotlib.figure.Figure
    original = cls.savefig

    @functools.wraps(original)
    def savefig(self: Any, *arguments: Any, **options: Any) -> None:
        original(self, *arguments, **options)
        setattr(self, SAVED, True)

    cls.savefig = savefig
    plt.show = _nothing  # nobody looks: what is open at the end is saved
    sys.modules["grafico_values"] = client
    builtins.exit = builtins.quit = sys.exit
    figure = plt.figure()  # the first one fills caches
    figure.add_subplot()
    figure.canvas.draw()
    plt.close(figure)


def _pyplot() -> Any:
    return importlib.import_module("matplotlib.pyplot")


def _nothing(*_: Any, **__: Any) -> None:
    pass


def run(code: str, told: int, seed: int | None = None) -> None:
    """Run a snippet and write what came of it, as JSON, into the pipe `told`.

    Args:
        code: Python.
        told: the descriptor of the pipe.
        seed: of what it draws by chance; None for another one each time.
    """
    word = {"value": "", "error": "", "exceeded": "", "unsaved": ""}
    try:
        value = _execute(code, seed)
        if value is not None:
            word["value"] = _written(value)
    except SystemExit as end:
        if end.code not in (None, 0):
            word["error"] = f"SystemExit: {end.code}"
    except BaseException as error:
        word["exceeded"] = _exceeded(error)
        if word["exceeded"] == "memory":
            use_spare()
        word["error"] = _traceback(error)
    try:
        save_figures()
    except BaseException as error:
        word["unsaved"] = f"{type(error).__name__}: {error}"[:HEAD]
    os.write(told, json.dumps(word).encode())
    for stream in (sys.stdout, sys.stderr):
        stream.flush()


def _execute(code: str, seed: int | None) -> Any:
    """Run all statements; return the value of the last if it is an expression."""
    import random

    import numpy as np

    np.random.seed(seed)  # or every snippet would draw the server's numbers
    random.seed(seed)
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    names = vars(module)
    names["np"] = np
    names["pd"] = sys.modules["pandas"]
    names["plt"] = sys.modules["matplotlib.pyplot"]
    names["g"] = client
    names["cite"] = client.cite
    linecache.cache[NAME] = (len(code), None, code.splitlines(keepends=True), NAME)
    tree = ast.parse(code, NAME)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, NAME, "exec"), names)
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), NAME, "eval"), names)


def _written(value: Any) -> str:
    import numpy as np

    plain: Any = cast("Any", value).item() if isinstance(value, np.generic) else value
    return repr(plain)[: 4 * (HEAD + TAIL)]


def _exceeded(error: BaseException) -> str:
    if isinstance(error, MemoryError):
        return "memory"
    full = (errno.ENOSPC, errno.EFBIG)
    return "disk" if isinstance(error, OSError) and error.errno in full else ""


def _traceback(error: BaseException) -> str:
    """Return the text of an error without the frames of this file."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename != NAME:
        trace = trace.tb_next
    text = "".join(traceback.format_exception(type(error), error, trace))
    return text if len(text) <= HEAD + TAIL else f"{text[:HEAD]}\n…\n{text[-TAIL:]}"


def save_figures() -> None:
    """Save the figures that are open and that the snippet has not saved itself."""
    plt, number = _pyplot(), 1
    for one in plt.get_fignums():
        figure = plt.figure(one)
        if getattr(figure, SAVED, False):
            continue
        while os.path.exists(name := f"figure-{number}.png"):
            number += 1
        figure.savefig(name, dpi=150)


LATER = (
    "scipy.optimize",
    "scipy.interpolate",
    "scipy.integrate",
    "scipy.linalg",
    "scipy.constants",
    "scipy.stats",
    "scipy.signal",
    "scipy.spatial",
)


def import_later(name: str) -> None:
    """Import a module that some snippets use."""
    importlib.import_module(name)
