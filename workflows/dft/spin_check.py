"""Whether another spin state of a small species lies lower at the level that is asked for.

It never changes the state that was taken: Hartree–Fock puts the quartet of CH below its doublet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ontologies.atoms import ConceptualAtoms
from ontologies.factors import HARTREE
from triplestore.errors import GraficoError
from workflows.engine import Executor
from workflows.engine.execution.meter import BeyondError
from workflows.engine.request.request import Request
from workflows.engine.request.workflow import completed, prepare
from workflows.molecule.spin.reading import name_of
from workflows.molecule.spin.recheck import spin_of
from workflows.registry import workflows

FEWEST, MOST = 2, 6
"""Atoms of species that are looked at: the levels of lone atoms are certain, and more than six
atoms take too long for a remark."""

CLEAR = 1e-4
"""Eh. A state that lies lower by less is as low."""


async def lower_state(
    smiles: str, atoms: ConceptualAtoms, energy: float, words: Mapping[str, Any], executor: Executor
) -> tuple[tuple[int, float] | None, bool]:
    """Return multiplicity and energy of another state that lies lower; and whether all was known.

    Nothing is looked for where the notation of the species leaves its spin no choice. A state whose
    energy is not found says nothing.

    Args:
        smiles: the bonds of the species; empty where they are not known.
        atoms: its geometry, at which the other state is computed too.
        energy: of the state that was taken, in Eh.
        words: the level of that energy.
        executor: computes it, or remembers it.
    """
    if not FEWEST <= len(atoms.numbers) <= MOST or not smiles:
        return None, True
    spin = spin_of(smiles)
    choices = {spin.multiplicity, *spin.others} if spin and spin.others else set[int]()
    near = sorted(one for one in choices if abs(one - atoms.multiplicity) == 2)
    lowest: tuple[int, float] | None = None
    remembered = True
    for multiplicity in near:
        other = atoms.model_copy(update={"multiplicity": multiplicity})
        try:
            asked = {**words, "task": "energy"}
            workflow = workflows().named("dft")
            done = await completed(
                await prepare(Request.of(workflow, (other,), asked), executor.unheard())
            )
        except BeyondError:
            raise
        except GraficoError:  # it does not converge, or the level has no such state
            continue
        remembered = remembered and done.reused
        found = float(done.state.answers[-1].result.energy)
        if found < (lowest[1] if lowest else energy) - CLEAR:
            lowest = multiplicity, found
    return lowest, remembered


def told(name: str, taken: int, other: int, energy: float) -> str:
    """Return a remark on another state that lies lower.

    Args:
        name: what the species is called.
        taken: multiplicity of the state that is taken.
        other: that of the one that lies lower.
        energy: by how much, in Eh.
    """
    return (
        f"at this level the {name_of(other)} of {name} lies {energy * HARTREE['kcal/mol']:.1f} "
        f"kcal/mol below the {name_of(taken)} that is taken, at the same geometry: where you mean "
        f"it, ask for it (multiplicity={other}, {{{name_of(other)}}} in an equation)"
    )
