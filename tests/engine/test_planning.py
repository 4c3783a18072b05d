"""What holds for every graph; the planner and its routers are tried on the device (microwave)."""

from __future__ import annotations

from pathlib import Path


def test_the_engine_knows_no_chemistry() -> None:
    """No module of the engine imports a domain or the words of one."""
    folder = Path(__file__).resolve().parents[2] / "workflows" / "engine"
    words = ("quantum", "atoms", "pyscf", "rdkit", "molecule", "workflows.dft", "microwave")
    for path in folder.rglob("*.py"):
        imports = [
            line
            for line in path.read_text().splitlines()
            if line.lstrip().startswith(("from", "import"))
        ]
        assert not [line for line in imports if any(word in line for word in words)], path
