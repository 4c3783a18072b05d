"""``python -m ontologies``: write the ontology beside the classes that it is generated from."""

from __future__ import annotations

from pathlib import Path

from ogm import GraphModel
from ogm.model import subclasses
from ogm.schema import ontology

from . import __name__ as package

FILE = Path(__file__).with_name("grafico.ttl")


def turtle() -> str:
    """Return the ontology of all classes of this package."""
    own = [
        cls
        for cls in subclasses(GraphModel)
        if cls is not GraphModel and cls.__module__.startswith(f"{package}.")
    ]
    return ontology(dict.fromkeys(own)).serialize(format="longturtle", encoding="utf-8").decode()


if __name__ == "__main__":
    FILE.write_text(turtle(), encoding="utf-8")
    print(f"written: {FILE}")
