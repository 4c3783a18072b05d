"""Whether another spin state of a small species lies lower at the level that is asked for.

It never changes the state that was taken: Hartree–Fock puts the quartet of CH below its doublet.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ontologies.atoms import ConceptualAtoms
from triplestore.errors import GraficoError
from workflows.dft.request.forms import DFTRequest
from workflows.engine import Executor
from workflows.engine.request.cost import BeyondError
from workflows.engine.request.workflow import completed, prepare
from workflows.molecule.spin.recheck import spin_of
from workflows.registry import workflows

if TYPE_CHECKING:
    from .species import Asked

FEWEST, MOST = 2, 6
"""Atoms of species that are looked at: the levels of lone atoms are certain, and more than six
atoms take too long for a remark."""

CLEAR = 1e-4
"""Eh. A state that lies lower by less is as low."""


async def lower_state(
    asked: Asked, atoms: ConceptualAtoms, energy: float, executor: Executor
) -> tuple[tuple[int, float] | None, bool]:
    """Return multiplicity and energy of another state that lies lower; and whether all was known.

    Nothing is looked for where the notation of the species leaves its spin no choice. A state whose
    energy is not found says nothing.

    Args:
        asked: the species, and at which level.
        atoms: its geometry, at which the other state is computed too.
        energy: of the state that was taken, in Eh.
        executor: computes it, or remembers it.
    """
    smiles = asked.species.smiles
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
            workflow, words = workflows().named("dft"), _words(asked)
            done = await completed(await prepare(workflow, other, words, executor.unheard()))
        except BeyondError:
            raise
        except GraficoError:  # it does not converge, or the level has no such state
            continue
        remembered = remembered and done.reused
        found = float(done.state.answers[-1].result.energy)
        if found < (lowest[1] if lowest else energy) - CLEAR:
            lowest = multiplicity, found
    return lowest, remembered


def _words(asked: Asked) -> Mapping[str, Any]:
    """Return the level of the energies, in words."""
    if asked.energy_words is not None:
        return asked.energy_words
    of_task = DFTRequest.model_fields.keys()
    return {n: one for n, one in asked.words.items() if n not in of_task} | {"task": "energy"}
