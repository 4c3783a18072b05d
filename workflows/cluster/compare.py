"""Clusters beside each other: which are whole, which are one, and how strongly they hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ontologies.atoms import ConceptualAtoms
from ontologies.clusters import SolventCluster
from ontologies.conformers import Conformer, ConformerEnsemble, SamenessThresholds
from ontologies.connectivity import changes
from triplestore.errors import GraficoError, RecipeError
from workflows.conformer.ensemble import Computed
from workflows.conformer.sameness import groups
from workflows.conformer.weights import weights
from workflows.words import count

ROOM_TEMPERATURE = 298.15
"""K, of the weights."""


def compared(
    solute: ConceptualAtoms,
    solvent: ConceptualAtoms,
    solvent_name: str,
    number: int,
    smiles: str,
    engine: str,
    starts: Mapping[str, ConceptualAtoms],
    computed: Mapping[str, Computed],
    errors: Mapping[str, GraficoError],
    remarks: Sequence[str],
) -> SolventCluster:
    """Return the clusters in which every molecule is whole, with the energy that holds the lowest.

    Args:
        solute: the molecule in the middle.
        solvent: a molecule of the solvent.
        solvent_name: what the person called it.
        number: how many of it.
        smiles: the bonds of the whole cluster; empty where these are not known.
        engine: what made the geometries.
        starts: these, by name.
        computed: what they came to, and the molecules alone (`solute`, `solvent`).
        errors: why others came to nothing.
        remarks: what is to be known of them.

    Raises:
        RecipeError: in all clusters bonds have changed.
    """
    broken = {
        name: str(change)
        for name in starts
        if name in computed and (change := changes(starts[name], computed[name].atoms))
    }
    whole = {name: computed[name] for name in starts if name in computed and name not in broken}
    if not whole:
        name, change = next(iter(broken.items()))
        raise RecipeError(
            f"{solute.formula} with {number} {solvent_name} was asked for",
            f"in all {count(len(broken), 'cluster')} bonds have changed; {name}: {change}",
            "a proton may move to the solvent at this level: take another level, or a continuum",
        )
    names, thresholds = list(whole), SamenessThresholds()
    alike = groups(
        [one.atoms for one in whole.values()], [one.energy for one in whole.values()],
        thresholds, smiles,
    )  # fmt: skip
    members = [whole[names[one[0]]] for one in alike]
    shares = weights([one.energy for one in members], [1] * len(members), ROOM_TEMPERATURE)
    told = [*remarks]
    if merged := len(names) - len(alike):
        told.append(f"{count(merged, 'cluster')} came to a geometry that another found")
    if sum(len(one) > 1 for one in alike[:1]) == 0 and len(names) > 1:
        told.append("the lowest cluster was found once only: others may lie lower; more seeds "
                    "look further")  # fmt: skip
    left_out = [f"{name}: {error}" for name, error in errors.items()]
    left_out += [f"{name}: its bonds changed: {change}" for name, change in broken.items()]
    level = members[0].level
    ensemble = ConformerEnsemble(
        molecule=members[0].atoms, smiles=smiles, level=level, sampler=engine,
        temperature=ROOM_TEMPERATURE, thresholds=thresholds,
        conformers=tuple(
            Conformer(
                number=place, atoms=one.atoms, energy=one.energy, weight=float(share),
                result=one.result,
            )
            for place, (one, share) in enumerate(zip(members, shares, strict=True), 1)
        ),
        left_out=tuple(left_out), remarks=tuple(told),
    )  # fmt: skip
    alone, each = computed["solute"], computed["solvent"]
    return SolventCluster(
        solute=solute, solvent_molecule=solvent, solvent_name=solvent_name, count=number,
        engine=engine, level=level, ensemble=ensemble, solute_energy=alone.energy,
        solvent_energy=each.energy,
        association_energy=members[0].energy - alone.energy - number * each.energy,
        solute_result=alone.result, solvent_result=each.result,
    )  # fmt: skip
