"""``python -m grafico``."""

from __future__ import annotations

import os
import sys

if sys.path and not sys.flags.safe_path:
    # Python puts the working folder first, whose modules and packages may be somebody else's; so
    # nothing is imported before that has not been already
    here = os.path.realpath(sys.path[0] or ".")
    home = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    if here == os.path.realpath(".") != home:
        del sys.path[0]

# pydantic and pydantic-graph would import logfire, a quarter of a second, to tell it what only a
# program sees that configures it as a whole; our own spans import it where they are asked for
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
sys.modules.setdefault("logfire", None)  # pyright: ignore[reportArgumentType]

from grafico.cli.app import main  # noqa: E402

if __name__ == "__main__":
    main(prog_name="grafico")
