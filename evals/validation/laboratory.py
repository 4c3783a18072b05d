"""Where Grafico's values come from: calculations through a session, kept in its store."""

from __future__ import annotations

import math
from typing import Any, Literal, TypeVar

import numpy as np

from grafico import Grafico, Result
from ogm import GraphModel
from ontologies.atoms import ConceptualAtoms
from ontologies.correlated import CorrelatedEnergy
from ontologies.excitations import ExcitedStates
from ontologies.factors import HARTREE
from ontologies.gaps import SingletTripletGap
from ontologies.level import LevelOfTheory, Reference
from ontologies.quantum import Optimisation, SinglePoint
from ontologies.tightbinding import TightBinding, TightBindingEnergy
from ontologies.transition import ReactionBarrier
from ontologies.vibrations import FrequencyAnalysis, Thermochemistry
from ontologies.wavefunction import StabilityAnalysis, WavefunctionAnalysis
from workflows.correlated.energy import single_point as correlated_point
from workflows.correlated.levels import resolve_level as correlated_level
from workflows.dft.level.resolving import resolve_level
from workflows.dft.properties.analysis import analyse
from workflows.dft.properties.energy import single_point
from workflows.dft.properties.excitation import excitations
from workflows.dft.properties.stability import stability
from workflows.dft.properties.surface import frequencies, optimise
from workflows.dft.properties.thermo import thermochemistry
from workflows.engine import Call
from workflows.geometry.symmetry import point_group
from workflows.tightbinding.calculations import single_point as tightbinding_point
from workflows.tightbinding.levels import resolve_level as tightbinding_level

from .level import Level
from .published_conformers import geometries, pairs

ResultT = TypeVar("ResultT", bound=GraphModel)

ATMOSPHERE = 101325.0


class Laboratory:
    """A session that counts what it had to compute."""

    def __init__(self, session: Grafico) -> None:
        self.session, self.computed = session, 0

    def ask(self, call: Call[ResultT]) -> ResultT:
        """Return the result of a calculation."""
        answer = self.session.wait_for(lambda: self.session.executor.run(call))
        self.computed += not answer.reused
        return answer.result

    def run(self, subject: Any, **asked: Any) -> Any:
        """Return a whole run, as a person asks for it."""
        done = self.session.run(subject, **asked)
        self.computed += not done.reused
        return done


class At:
    """What can be asked at a level of theory.

    Args:
        laboratory: where it is computed.
        named: the level; None where none takes part.
    """

    def __init__(self, laboratory: Laboratory, named: Level | None) -> None:
        self.laboratory, self._named = laboratory, named

    @property
    def named(self) -> Level:
        """The level by its names."""
        assert self._named is not None, "this entry names no level of theory"
        return self._named

    def level(self, atoms: ConceptualAtoms) -> LevelOfTheory:
        """Return the level; open shells are unrestricted unless it says otherwise."""
        options = dict(self.named.options)
        usual: Reference = "restricted" if atoms.multiplicity == 1 else "unrestricted"
        reference: Reference = options.pop("reference", usual)
        call = resolve_level.bind(self.named.method, self.named.basis, reference, **options)
        return self.laboratory.ask(call).level

    def tight(self) -> TightBinding:
        """Return the level, where it is one of tight binding."""
        call = tightbinding_level.bind(self.named.method, **self.named.options)
        return self.laboratory.ask(call).level

    def tight_point(self, atoms: ConceptualAtoms) -> TightBindingEnergy:
        """Return energy and properties at a geometry by tight binding."""
        return self.laboratory.ask(tightbinding_point.bind(atoms, self.tight()))

    def correlated(self, atoms: ConceptualAtoms) -> CorrelatedEnergy:
        """Return the energy at a geometry by a correlated method."""
        usual: Reference = "restricted" if atoms.multiplicity == 1 else "unrestricted"
        call = correlated_level.bind(
            self.named.method, self.named.basis, usual, **self.named.options
        )
        level = self.laboratory.ask(call).level
        return self.laboratory.ask(correlated_point.bind(atoms, level))

    def point(self, atoms: ConceptualAtoms) -> SinglePoint:
        """Return energy and properties at a geometry."""
        return self.laboratory.ask(single_point.bind(atoms, self.level(atoms)))

    def energy(self, atoms: ConceptualAtoms) -> float:
        """Return the energy at a geometry, in Eh."""
        return self.point(atoms).energy

    def relaxed(self, atoms: ConceptualAtoms) -> Optimisation:
        """Return the minimum nearby, to 1e-5 Eh/bohr."""
        call = optimise.bind(atoms, self.level(atoms), convergence="tight")
        return self.laboratory.ask(call)

    def vibrations(self, atoms: ConceptualAtoms) -> FrequencyAnalysis:
        """Return the vibrations at a geometry."""
        return self.laboratory.ask(frequencies.bind(atoms, self.level(atoms)))

    def vibrations_of(self, start: ConceptualAtoms) -> FrequencyAnalysis:
        """Return the vibrations at the minimum nearby."""
        return self.vibrations(self.relaxed(start).atoms)

    def zero_point_energy(self, start: ConceptualAtoms) -> float:
        """Return the energy of the minimum nearby with half a quantum of each mode, in Eh."""
        found = self.vibrations_of(start)
        return found.energy + float(found.wavenumbers.sum()) / 2 / HARTREE["cm⁻¹"]

    def heat(self, start: ConceptualAtoms, temperature: float = 298.15) -> Thermochemistry:
        """Return the thermochemistry of the minimum nearby, at 1 atm."""
        return self.heat_at(self.relaxed(start).atoms, temperature)

    def heat_at(self, atoms: ConceptualAtoms, temperature: float = 298.15) -> Thermochemistry:
        """Return the thermochemistry of a minimum, at 1 atm."""
        found = self.vibrations(atoms)
        return self.laboratory.ask(thermochemistry.bind(found, temperature, ATMOSPHERE))

    def analysis(self, atoms: ConceptualAtoms) -> WavefunctionAnalysis:
        """Return the analysis of the wavefunction."""
        return self.laboratory.ask(analyse.bind(atoms, self.level(atoms)))

    def excited(
        self,
        atoms: ConceptualAtoms,
        response: Literal["TDDFT", "TDA"] = "TDDFT",
        spin: Literal["singlet", "triplet"] = "singlet",
    ) -> ExcitedStates:
        """Return the four lowest excited states."""
        call = excitations.bind(atoms, self.level(atoms), 4, response, spin)
        return self.laboratory.ask(call)

    def gap(self, atoms: ConceptualAtoms) -> SingletTripletGap:
        """Return S1 and T1 at a geometry within the Tamm–Dancoff approximation."""
        level = {"method": self.named.method, "basis": self.named.basis, "task": "energy"}
        done = self.laboratory.run(atoms, workflow="excitations", states=3, response="TDA", **level)
        [gap] = done.ran.made[0].gaps
        return gap

    def distance(self, start: ConceptualAtoms, one: int, other: int) -> float:
        """Return how far two atoms of the minimum nearby lie apart, in Å."""
        places = self.relaxed(start).atoms.positions
        return float(np.linalg.norm(places[one] - places[other]))

    def angle(self, start: ConceptualAtoms, one: int, apex: int, other: int) -> float:
        """Return an angle of the minimum nearby, in degrees."""
        places = self.relaxed(start).atoms.positions
        arms = places[[one, other]] - places[apex]
        arms /= np.linalg.norm(arms, axis=1, keepdims=True)
        return math.degrees(math.acos(float(arms[0] @ arms[1])))

    def group(self, atoms: ConceptualAtoms) -> str:
        """Return the point group of a structure with noise of 0.005 Å, always the same."""
        noise = np.random.default_rng(2017).normal(0, 0.005, (len(atoms.numbers), 3))
        return point_group(atoms.moved_to(atoms.positions + noise))

    def band(self, atoms: ConceptualAtoms) -> tuple[float, float]:
        """Return wavenumber (cm⁻¹) and intensity (km/mol) of the band that absorbs most."""
        found = self.vibrations(atoms)
        assert found.infrared is not None
        most = int(found.infrared.argmax())
        return float(found.wavenumbers[most]), float(found.infrared[most])

    def solvated(self, atoms: ConceptualAtoms) -> float:
        """Return the energy in a solvent less that in the gas phase, in Eh."""
        gas = At(self.laboratory, Level(self.named.method, self.named.basis))
        return self.energy(atoms) - gas.energy(atoms)

    def deviation(self, words: str) -> float:
        """Return how far relative energies of published conformers are off in the mean, in Eh.

        Args:
            words: the collection, and the lower conformers of a choice of them.
        """
        collection, *chosen = words.split()
        there = geometries(collection)

        def energy(name: str) -> float:
            at = self.point if self.named.basis else self.tight_point
            return at(there[name]).energy

        off = [
            energy(one.high) - energy(one.low) - one.energy / HARTREE["kcal/mol"]
            for one in pairs(collection)
            if not chosen or one.low in chosen
        ]
        return float(np.abs(off).mean())

    def barrier(self, guess: ConceptualAtoms, reverse: int = 0) -> ReactionBarrier:
        """Return the barrier that the workflow finds from a guess, from its lower end or not."""
        asked = dict(method=self.named.method, basis=self.named.basis, **self.named.options)
        done = self.laboratory.run(guess, workflow="transition", convergence="tight", **asked)
        [found] = [one for one in done.barriers if one.reverse == bool(reverse)]
        return found

    def stable(self, atoms: ConceptualAtoms) -> StabilityAnalysis:
        """Return whether the solution is stable, and what lies below."""
        return self.laboratory.ask(stability.bind(atoms, self.level(atoms)))

    def whole(self, molecule: str, task: str, **more: Any) -> Result:
        """Return a whole run, as a person asks for it."""
        level = {"method": self.named.method, "basis": self.named.basis}
        return self.laboratory.run(molecule, task=task, **level, **more)

    def broken(self, molecule: str, bond: str) -> Any:
        """Return what it takes to break a bond into radicals."""
        return self.made(molecule, "bond-dissociation", bonds=(bond,), into="radicals")

    def made(self, subject: str, workflow: str, **more: Any) -> Any:
        """Return what a workflow over several molecules made, as a person asks for it."""
        named = self.named
        method, _, basis = (named.geometry or f"{named.method}/{named.basis}").partition("/")
        words: dict[str, Any] = {"method": method, **named.options, **more}
        words |= {"basis": basis} if basis else {}
        if named.geometry:
            words["energy_at"] = f"{named.method}/{named.basis}".removesuffix("/")
        [found] = self.laboratory.run(subject, workflow=workflow, **words).ran.made
        return found
