"""``python -m grafico``."""

from __future__ import annotations

from grafico.cli import main

if __name__ == "__main__":
    main(prog_name="grafico")
