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

from grafico.cli.app import main

if __name__ == "__main__":
    main(prog_name="grafico")
