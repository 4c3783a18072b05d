"""MACE with a checkpoint of the user: against MACE itself, differences, and what is refused.

The extra `mace` has 6 GB and is not part of `dev`: what needs it is passed by where it is not. No
trained model comes with MACE, so that these have random weights.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grafico import Grafico
from ontologies.atoms import ConceptualAtoms
from ontologies.crystals import GIGAPASCAL
from ontologies.factors import BOHR, HARTREE
from ontologies.potentials import CheckpointPotential
from ontologies.units import Floats
from triplestore.errors import ComponentError, InputError, NotFoundError
from workflows.crystal.surface import cell_of
from workflows.mace import levels
from workflows.mace.crystal import CheckpointSurface, crystal_energy
from workflows.mace.files import digest_of
from workflows.potentials import learned

there = pytest.mark.skipif(find_spec("mace") is None, reason="the extra mace")

EV = HARTREE["eV"]
NAMES = "small", "single", "repelled", "several"

SILICON = """silicon, out of its places
1.0
0.1 2.7 2.8
2.7 0.0 2.7
2.6 2.75 0.0
Si
2
Cartesian
0 0 0
1.4 1.3 1.45
"""


def silicon() -> ConceptualAtoms:
    cell = [[0.1, 2.7, 2.8], [2.7, 0.0, 2.7], [2.6, 2.75, 0.0]]
    places = [[0.0, 0.0, 0.0], [1.4, 1.3, 1.45]]
    return ConceptualAtoms(numbers=[14, 14], positions=places, cell=cell, periodic=[True] * 3)


@pytest.fixture(scope="module")
def checkpoints(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of checkpoints, each with what MACE itself computes."""
    folder = tmp_path_factory.mktemp("checkpoints")
    script = Path(__file__).with_name("make_checkpoint.py")
    subprocess.run([sys.executable, str(script), str(folder)], check=True, capture_output=True)
    return folder


def level(folder: Path, name: str, **more: Any) -> CheckpointPotential:
    digest, file = digest_of(str(folder / f"{name}.model"), "it was asked for")
    at = levels.resolve_level("MACE", levels.MACE.required("MACE"), digest, file, **more).level
    assert isinstance(at, CheckpointPotential)
    return at


@there
@pytest.mark.parametrize("name", NAMES)
def test_numbers_are_those_of_mace_itself(checkpoints: Path, name: str) -> None:
    """There the module was unpickled with all that stands in it; here it was not."""
    wanted: Mapping[str, Any] = json.loads((checkpoints / f"{name}.json").read_text())
    at = level(checkpoints, name, head="omat" if name == "several" else "")
    found = crystal_energy(silicon(), at)
    near = 1e-5 if at.precision == "float32" else 1e-10
    assert found.energy * EV == pytest.approx(wanted["energy"], abs=near)
    assert -found.gradient * EV / BOHR == pytest.approx(np.array(wanted["forces"]), abs=near)
    assert found.stress is not None
    in_ev = found.stress / GIGAPASCAL * EV / BOHR**3
    assert in_ev == pytest.approx(np.array(wanted["stress"]), abs=near)
    assert at.precision == ("float32" if name == "single" else "float64")
    assert at.elements == ("H", "C", "Si")
    assert f"{name}.model (weights {at.weights[:8]}, head {at.head}," in at.label


@there
def test_forces_and_stress_are_the_derivatives_of_the_energy(checkpoints: Path) -> None:
    atoms = silicon()
    surface, cell, step = (
        CheckpointSurface(atoms, level(checkpoints, "small")),
        cell_of(atoms),
        1e-3,
    )
    here = surface.at(atoms.positions, cell)
    assert here.stress is not None

    def energy(shift: Floats, strain: Floats) -> float:
        way = np.eye(3) + strain
        return surface.at((atoms.positions + shift) @ way, cell @ way).energy

    still, unstrained = np.zeros((2, 3)), np.zeros((3, 3))
    for axis in range(3):
        shift = still.copy()
        shift[1, axis] = step
        slope = (energy(shift, unstrained) - energy(-shift, unstrained)) / (2 * step)
        assert slope * BOHR == pytest.approx(here.gradient[1, axis], rel=1e-3)
    volume = abs(np.linalg.det(cell)) / BOHR**3
    for one, other in ((0, 0), (1, 2)):
        strain = np.zeros((3, 3))
        strain[one, other] += step / 2
        strain[other, one] += step / 2
        slope = (energy(still, strain) - energy(still, -strain)) / (2 * step)
        assert slope / volume == pytest.approx(here.stress[one, other], rel=1e-3)


@there
def test_it_is_asked_for_as_any_level(checkpoints: Path, tmp_path: Path) -> None:
    path = tmp_path / "POSCAR"
    path.write_text(SILICON)
    model = checkpoints / "small.model"
    wanted = json.loads((checkpoints / "small.json").read_text())["energy"]
    with Grafico(store="memory:") as session:
        asked = {"method": "mace", "checkpoint": str(model)}
        done = session.run(str(path), **asked)
        assert done.energy * EV == pytest.approx(wanted, abs=1e-8)
        assert "MACE small.model (weights" in done.level.label
        assert session.run(str(path), **asked).reused
        moved = model.rename(tmp_path / "small.model")
        assert session.run(str(path), method="mace", checkpoint=str(moved)).reused
        again = session.run(
            str(path),
            method="MACE",
            checkpoint=str(moved),
            task="optimise",
            max_steps=1,
            convergence="very tight",
        )
        assert again.status == "goal unmet"
        assert "NOT RELAXED" in session.report(again.run)
        moved.rename(model)
        with pytest.raises(InputError, match="none is named"):
            session.run(str(path), method="MACE")
        with pytest.raises(NotFoundError):
            session.run(str(path), method="MACE", checkpoint=str(tmp_path / "none.model"))
        with pytest.raises(InputError, match="GFN2-xTB"):
            session.run("water", method="MACE", checkpoint=str(model))
        with pytest.raises(InputError, match="mp_pbe and omat"):
            session.run(str(path), method="MACE", checkpoint=str(checkpoints / "several.model"))


@there
def test_elements_and_files_that_are_not_known_are_refused(
    checkpoints: Path, tmp_path: Path
) -> None:
    at = level(checkpoints, "small")
    salt = silicon().model_copy(update={"numbers": [11, 17]})
    with pytest.raises(InputError, match="not trained on Cl, Na, but on H, C, Si"):
        crystal_energy(salt, at)
    other = at.model_copy(update={"weights": "0" * 64})
    with pytest.raises(ComponentError, match="is not known on this machine"):
        crystal_energy(silicon(), other)
    changed = tmp_path / "changed.model"
    changed.write_bytes((checkpoints / "small.model").read_bytes() + b"more")
    digest, name = digest_of(str(changed), "it was asked for")
    changed.write_bytes(b"something else")
    late = at.model_copy(update={"weights": digest, "model": name})
    with pytest.raises(ComponentError, match="has changed since"):
        crystal_energy(silicon(), late)


def test_without_the_extra_it_says_what_it_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learned, "installed", lambda package: "")
    with Grafico(store="memory:") as session, pytest.raises(ComponentError) as caught:
        session.run("water", method="MACE", checkpoint="some.model")
    assert "pip install 'grafico-chem[mace]'" in str(caught.value)


def test_nothing_here_imports_what_computes() -> None:
    code = (
        "import sys; from workflows.mace.program import MACE; from workflows.mace import crystal; "
        "print([one for one in ('torch', 'mace', 'e3nn') if one in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
