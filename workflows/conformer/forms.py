"""What is asked of every ensemble: what is one conformer, what is kept, and how it is weighted."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from ogm import Unit
from ontologies.conformers import SamenessThresholds, WeightedBy
from ontologies.factors import HARTREE
from ontologies.quantum import Convergence
from ontologies.vibrations import Treatment
from workflows.dft.request.forms import IN_WORDS, Force, Steps, Temperature
from workflows.engine.request.form import Form
from workflows.engine.request.rules import Rare, Words

KCAL = HARTREE["kcal/mol"]

CLOSE, UPON = 0.05, 0.1
"""kcal/mol and Å (RMSD). Geometries as near as this are one conformer, whatever their rotational
constants: two ends of optimisations along a soft mode of one minimum. Of conformers that differ, of
1-butanol for one, none lies nearer to another than 0.2 Å."""

Energy = Annotated[float, Field(gt=0, le=1000, allow_inf_nan=False)]


class EnsembleRequest(Form):
    """What is asked of the geometries of an ensemble, and how they are told apart."""

    window: Annotated[
        Energy, Field(description="Conformers up to here above the lowest are kept, kcal/mol.")
    ] = 6.0
    weights: Annotated[
        WeightedBy,
        Words({"Gibbs energy": ("gibbs", "freeenergy", "g"), "energy": ("electronic", "e")}),
        Field(description="What Boltzmann weights come from; Gibbs energies need vibrations."),
    ] = "energy"
    temperature: Annotated[
        Temperature, Unit("K"), Field(description="Of weights and Gibbs energies, K.")
    ] = 298.15
    treatment: Annotated[
        Treatment, IN_WORDS, Rare(), Field(description="Soft modes in Gibbs energies.")
    ] = "quasi-RRHO"
    ethr: Annotated[
        Energy,
        Rare(),
        Field(description="One conformer: energies this near, kcal/mol (and all of the below)."),
    ] = 0.1
    rthr: Annotated[
        float,
        Rare(),
        Field(gt=0, le=5, allow_inf_nan=False, description="One conformer: RMSD in Å."),
    ] = 0.25
    bthr: Annotated[
        float,
        Rare(),
        Field(
            gt=0,
            lt=1,
            allow_inf_nan=False,
            description="One conformer: relative difference of rotational constants.",
        ),
    ] = 0.015
    max_steps: Annotated[Steps, Rare(), Field(description="Steps of each optimisation.")] = 200
    convergence: Annotated[
        Convergence, Rare(), Field(description="Thresholds of each optimisation.")
    ] = "normal"
    force: Force = False

    @property
    def thresholds(self) -> SamenessThresholds:
        """By which geometries are one conformer."""
        return SamenessThresholds(
            energy_gap=self.ethr / KCAL,
            deviation=self.rthr,
            rotation=self.bthr,
            close_gap=min(self.ethr, CLOSE) / KCAL,
            close_deviation=min(self.rthr, UPON),
        )

    def of_each(self, task: str, level: dict[str, Any]) -> dict[str, Any]:
        """Return what is asked of each geometry, in words.

        Args:
            task: energy, optimise or frequencies.
            level: the level, in words.
        """
        words: dict[str, Any] = {"task": task, **level}
        if task != "energy":
            words |= {"max_steps": self.max_steps, "convergence": self.convergence}
        if task == "frequencies":
            words |= {"temperature": self.temperature, "treatment": self.treatment}
        return words
