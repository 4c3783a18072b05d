"""``python -m grafico``."""

from __future__ import annotations

import os
import sys
from pathlib import Path

if sys.path and not sys.flags.safe_path:
    # Python puts the working folder first, whose modules and packages may be somebody else's
    here, home = os.path.realpath(sys.path[0] or "."), str(Path(__file__).resolve().parents[1])
    if here == os.path.realpath(".") != home:
        del sys.path[0]

from grafico.cli.app import main

if __name__ == "__main__":
    main(prog_name="grafico")
