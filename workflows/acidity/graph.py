"""The graph that finds what it takes acids to lose their protons, and the pKa of one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ontologies.acidity import AcidDissociation, AcidityConstant, Calibration
from ontologies.atoms import ConceptualAtoms
from ontologies.level import Level
from ontologies.quantum import EnergyResult
from ontologies.reactions import SpeciesEnergy
from workflows.engine import Executor, Findings, StepGraph, step
from workflows.reaction.combine import UNBOUND
from workflows.reaction.species import SpeciesTask, species_energies

from .acids import Acid
from .calibration import CLOSE, FREE, Line, fitted


@dataclass(frozen=True)
class AcidityState(Findings):
    """Where a run stands.

    Attributes:
        atoms: the acid that is asked for, as it was given.
        acids: it and those of known pKa.
        asked: of acids and bases in turn, by their names.
        calibration: how the pKa follows.
        proton: Gibbs energy of the proton in solution, Eh; None where acids of known pKa say it.
        temperature: in K.
        energies: what acids and bases came to, by their names.
    """

    atoms: ConceptualAtoms
    acids: tuple[Acid, ...]
    asked: Mapping[str, SpeciesTask]
    calibration: Calibration
    proton: float | None
    temperature: float
    energies: Mapping[str, SpeciesEnergy] = field(default_factory=dict[str, SpeciesEnergy])


@step("energies", cost=10.0)
async def compute_acids(state: AcidityState, executor: Executor) -> AcidityState:
    """Compute each acid and each base, in parallel, as if it had been asked for alone."""
    found, remembered = await species_energies(state.asked, executor, "acids and bases")
    return replace(state, energies=found.results, remembered=remembered)


@step("pKa", needs="energies")
async def relate_acids(state: AcidityState, executor: Executor) -> AcidityState:
    """Relate energies and measured pKa, take that of the acid from it and record it."""
    iris = [one.result.iri for one in state.energies.values()]
    remarks = [
        f"{name}: {remark}"
        for name, one in zip(state.energies, executor.kg.pull_all(EnergyResult, iris), strict=True)
        for remark in one.remarks
    ]
    found = constant(state, remarks)
    executor.record(found)
    return replace(state, found=(found,))


ACIDITY = StepGraph("acidity", compute_acids, relate_acids)


def constant(state: AcidityState, remarks: Sequence[str] = ()) -> AcidityConstant:
    """Return the pKa of an acid from what all acids and bases came to.

    Args:
        state: where the energies are known.
        remarks: on their results.

    Raises:
        RecipeError: the acids of known pKa make no line.
    """
    energies = [state.energies[name] for name in state.asked]
    couples = list(zip(energies[::2], energies[1::2], strict=True))
    thermal = all(one.gibbs_energy is not None for one in energies)
    lost = [
        (_energy(base, thermal) - _energy(acid, thermal), one.measured)
        for one, (acid, base) in zip(state.acids, couples, strict=True)
    ]
    known = [(energy, pka) for energy, pka in lost if pka is not None]
    line = fitted(state.calibration, known, state.temperature, state.proton)
    acid, *others = (
        AcidDissociation(
            reaction=one.reaction,
            species_energies=couple,
            deprotonation_energy=energy,
            pka=line.pka(energy),
            measured_pka=pka,
        )
        for one, couple, (energy, pka) in zip(state.acids, couples, lost, strict=True)
    )
    first = next(iter(state.asked.values()))
    level = next(one for one in first.ready.prepared.about if isinstance(one, Level))
    energy = acid.deprotonation_energy
    told = [*_told(line, energy), *remarks]
    if unbound := [one.species.name for one in energies if one.unbound]:
        told = [one for one in told if "highest occupied" not in one]
        told.append(UNBOUND.format(", ".join(dict.fromkeys(unbound))))
    return AcidityConstant(
        atoms=state.atoms,
        level=energies[0].level,
        geometry_level=level,
        acid=acid,
        calibrating_acids=tuple(others),
        calibration=line.calibration,
        relative_slope=line.slope,
        proton_gibbs_energy=line.proton,
        standard_error=line.standard_error(energy),
        half_interval=line.half_interval(energy),
        temperature=state.temperature,
        thermal=thermal,
        remarks=tuple(dict.fromkeys(told)),
    )


def _energy(one: SpeciesEnergy, thermal: bool) -> float:
    energy = one.gibbs_energy if thermal else one.energy
    assert energy is not None  # all have one, or none is asked for
    return energy


def _told(line: Line, energy: float) -> list[str]:
    """Return what a reader of a pKa must know."""
    if line.calibration == "none":
        return [
            "a protocol, not a prediction: without reference acids it shifts by 0.73 for each "
            "kcal/mol of the proton's Gibbs energy, and continuum solvents leave anions too high "
            "by several kcal/mol; for a pKa give acids of its kind whose pKa was measured "
            "(`reference_acid`, such as 'CC(=O)O=4.76'), three or more for an interval"
        ]
    told = [line.beyond(energy)]
    if line.freedom < 1:
        told.append("one reference acid says nothing of the uncertainty")
        if abs(line.pka(energy) - line.known[0][1]) > CLOSE:
            told.append(
                f"it is more than {CLOSE:g} units of pKa away from the only reference acid: no pKa "
                "follows; give more of them, with pKa on both sides"
            )
    elif line.freedom < FREE:
        one = "two" if line.calibration == "fixed slope" else "three"
        told.append(
            f"{one} reference acids are too few for an interval: the standard error is a guess "
            "from a single difference, and one more acid makes it a number"
        )
    if line.slope < 0:
        told.append("the reference acids get weaker as their protons leave more easily")
    elif line.calibration == "regression" and not 0.3 < line.slope < 1.5:
        told.append(f"the slope is {line.slope:.2f} of the theoretical one")
    return [one for one in told if one]
