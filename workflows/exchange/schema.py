"""A result as an `AtomicResult` of QCSchema, version 1."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportMissingTypeStubs=false

from __future__ import annotations

import json
from typing import Any

from ontologies.factors import BOHR, DEBYE
from ontologies.level import LevelOfTheory
from ontologies.quantum import ElectronicResult, EnergyResult


def qcschema(result: EnergyResult) -> tuple[str, tuple[str, ...]]:
    """Return its energy, as JSON that QCElemental's model has accepted."""
    from qcelemental.models import v1

    model: Any = v1

    atoms, level = result.atoms, result.level
    properties: dict[str, Any] = {
        "return_energy": result.energy,
        "calcinfo_natom": len(atoms.numbers),
    }
    if isinstance(result, ElectronicResult):
        properties["scf_total_energy"] = result.energy
        properties["scf_iterations"] = result.scf_cycles
        if atoms.charge == 0:  # else it depends on the origin
            properties["scf_dipole_moment"] = (result.dipole / DEBYE).tolist()
    told = model.AtomicResult(
        molecule={
            "symbols": atoms.symbols,
            "geometry": (atoms.positions / BOHR).ravel().tolist(),
            "molecular_charge": atoms.charge,
            "molecular_multiplicity": atoms.multiplicity,
            "fix_com": True,
            "fix_orientation": True,
            "fix_symmetry": "c1",
        },
        driver="energy",
        model={
            "method": level.method,
            "basis": level.basis if isinstance(level, LevelOfTheory) else None,
        },
        keywords={"level": level.model_dump(mode="json", exclude_none=True)},
        properties=properties,
        provenance={"creator": level.program, "routine": "grafico"},
        extras={"grafico": {"iri": result.iri, "remarks": list(result.remarks)}},
        return_result=result.energy,
        success=True,
    )
    text = json.dumps(json.loads(told.json()), indent=1, ensure_ascii=False) + "\n"
    notes = ["the dipole of an ion depends on the origin: left out"] if atoms.charge else []
    return text, tuple(notes)
