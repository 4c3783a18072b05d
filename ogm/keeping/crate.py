"""The RO-Crate metadata of a bundle (RO-Crate 1.1), for archives and programs that read it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from .gather import Pairs
from .provo import ENDED, NAME, SOFTWARE, STARTED, VERSION, values

CONTEXT = "https://w3id.org/ro/crate/1.1/context"
PROFILE = "https://w3id.org/ro/crate/1.1"


def crate(roots: Sequence[str], objects: Mapping[str, Pairs], arrays: Sequence[str]) -> bytes:
    """Return the file `ro-crate-metadata.json`: the parts, and the software that was used.

    It is published on the day of the last thing that happened in it, so that equal content gives
    equal bytes; today if nothing did.
    """
    moments = sorted(
        value.value
        for pairs in objects.values()
        for name in (STARTED, ENDED)
        for value in values(pairs, name)
    )
    agents = sorted({v.value for pairs in objects.values() for v in values(pairs, SOFTWARE)})
    files: list[dict[str, Any]] = [
        {
            "@id": "objects.trig",
            "@type": "File",
            "name": "the objects and what made them",
            "encodingFormat": "application/trig",
        },
        {
            "@id": "manifest.json",
            "@type": "File",
            "name": "checksums",
            "encodingFormat": "application/json",
        },
        *(
            {
                "@id": f"arrays/{name}.npy",
                "@type": "File",
                "name": "an array that the objects name by its digest",
                "encodingFormat": "application/x-npy",
            }
            for name in arrays
        ),
    ]
    root: dict[str, Any] = {
        "@id": "./",
        "@type": "Dataset",
        "name": "Results of Grafico" if len(roots) > 1 else f"A result of Grafico: {roots[0]}",
        "description": "Calculated objects with everything that they rest on: inputs, levels of "
        "theory, activities, software and devices.",
        "datePublished": moments[-1][:10] if moments else f"{datetime.now(UTC):%Y-%m-%d}",
        "license": "The licence is up to whoever publishes this.",
        "hasPart": [{"@id": part["@id"]} for part in files],
        "about": [{"@id": iri} for iri in roots],
        "mentions": [{"@id": iri} for iri in agents],
    }
    descriptor = {
        "@id": "ro-crate-metadata.json",
        "@type": "CreativeWork",
        "conformsTo": {"@id": PROFILE},
        "about": {"@id": "./"},
    }
    about = [{"@id": iri, "@type": "Thing", "name": iri} for iri in roots]
    software = [_software(iri, objects.get(iri, [])) for iri in agents if iri not in roots]
    graph = [descriptor, root, *files, *about, *software]
    document = {"@context": CONTEXT, "@graph": graph}
    return json.dumps(document, indent=1, ensure_ascii=False).encode()


def _software(iri: str, pairs: Pairs) -> dict[str, Any]:
    said: dict[str, Any] = {"@id": iri, "@type": "SoftwareApplication"}
    for key, predicate in (("name", NAME), ("version", VERSION)):
        for value in values(pairs, predicate):
            said[key] = value.value
    return said
