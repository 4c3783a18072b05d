"""``python -m grafico``."""

from __future__ import annotations

from grafico.cli.app import main

if __name__ == "__main__":
    main(prog_name="grafico")
