"""``python -m ontologies``: write what is generated from the classes beside them."""

from __future__ import annotations

from .schema import generated, turtle

if __name__ == "__main__":
    for path, graph in generated().items():
        path.write_text(turtle(graph), encoding="utf-8")
        print(f"written: {path}")
