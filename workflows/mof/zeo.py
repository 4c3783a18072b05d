"""Zeo++ in a process of its own, which it may end: `python -m workflows.mof.zeo FOLDER`.

It reads `given.json` and `framework.cif` there, and writes each answer to `found.json` as soon as
it has it, so that what came before its end is kept.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportMissingImports=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false
# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path
from typing import Any


def main() -> None:
    """Measure the framework in a folder."""
    folder = Path(sys.argv[1])
    given = json.loads((folder / "given.json").read_text("utf-8"))
    seconds = int(given["seconds"])
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    from pyzeo import AtomNetwork, extension, high_accuracy_atomnet, surface_area, volume

    found: dict[str, Any] = {}

    def atoms() -> Any:
        return AtomNetwork.read_from_CIF(str(folder / "framework.cif"), rad_flag=True)

    def keep(name: str, text: str | bytes) -> None:
        found[name] = text.decode() if isinstance(text, bytes) else text
        (folder / "found.json").write_text(json.dumps(found), "utf-8")

    def fine() -> Any:
        network = atoms()
        if given["high_accuracy"]:
            high_accuracy_atomnet(network, "DEF")
        return network

    def sampled(sample: Any, probe: float, points: int) -> bytes:
        if given["high_accuracy"]:
            return sample(atoms(), probe, probe, points, True, fine())
        return sample(atoms(), probe, probe, points)

    keep("radii", json.dumps({atom.type: atom.radius for atom in atoms().atoms}))
    network = fine()
    spheres = folder / "spheres.res"
    network.calculate_free_sphere_parameters(str(spheres))
    keep("spheres", spheres.read_text("utf-8"))
    keep("area", sampled(surface_area, given["area_probe"], given["area_samples"]))
    keep("volume", sampled(volume, given["volume_probe"], given["volume_samples"]))
    keep("void", sampled(volume, 0.0, given["volume_samples"]))
    ways = folder / "ways.nt2"  # of thousands of atoms it takes minutes, as spheres do
    extension.writeNt2file(str(ways), fine().perform_voronoi_decomposition()[0])
    keep("ways", ways.read_text("utf-8"))


if __name__ == "__main__":
    main()
