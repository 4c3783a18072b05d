"""Clusters beside each other: which are whole, which are one, and how strongly they hold."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from ontologies.atoms import ConceptualAtoms
from ontologies.clusters import SolventCluster
from ontologies.conformers import SamenessThresholds
from triplestore.errors import GraficoError, RecipeError
from workflows.conformer.ensemble import Computed, assemble, reaction
from workflows.conformer.sameness import groups

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
    found = {name: computed[name] for name in starts if name in computed}
    first, thresholds, told = next(iter(starts.values())), SamenessThresholds(), [*remarks]
    whole = [one for one in found.values() if not reaction(first, one.atoms, smiles)]
    alike = groups([one.atoms for one in whole], [one.energy for one in whole], thresholds, smiles)
    if len(whole) > 1 and len(alike[0]) == 1:
        told.append(
            "the lowest cluster was found once only: others may lie lower; more seeds look further"
        )
    try:
        ensemble = assemble(
            first,
            smiles,
            found,
            starts,
            errors,
            thresholds=thresholds,
            window=math.inf,
            weighted_by="energy",
            temperature=ROOM_TEMPERATURE,
            sampler=engine,
            remarks=told,
        )
    except RecipeError as error:
        error.asked = f"{solute.formula} with {number} {solvent_name} was asked for"
        error.advice = (
            "a proton may move to the solvent at this level: take another level, or a continuum"
        )
        raise
    lowest = ensemble.lowest
    alone, each = computed["solute"], computed["solvent"]
    return SolventCluster(
        solute=solute,
        solvent_molecule=solvent,
        solvent_name=solvent_name,
        count=number,
        engine=engine,
        level=ensemble.level,
        ensemble=ensemble,
        solute_energy=alone.energy,
        solvent_energy=each.energy,
        association_energy=lowest.energy - alone.energy - number * each.energy,
        solute_result=alone.result,
        solvent_result=each.result,
    )
