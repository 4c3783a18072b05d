"""What is asked of a transition state."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field, field_validator

from ogm import Unit
from ontologies.quantum import Convergence
from ontologies.vibrations import Treatment
from workflows.dft.request.forms import IN_WORDS, Force, Pressure, Steps, Temperature
from workflows.engine.request.form import Form
from workflows.engine.request.rules import For, Rare, Second, Words

from .mode import read_along

Upto: TypeAlias = Literal["state", "path", "barrier"]
"""How far it goes: the transition state alone, the path to both its ends, rates over it."""

RATED = For("upto", ("barrier",))
FOLLOWED = For("upto", ("path", "barrier"))


class TransitionRequest(Form):
    """How a transition state is searched, and along what."""

    along: Annotated[
        tuple[str, ...],
        Field(description='What must change: a bond "1-2", or a dihedral angle "1-2-3-4".'),
    ] = ()
    product: Annotated[
        str,
        Second(),
        Field(
            description="The product, numbered like GUESS, which is then the reactant: a band "
            "between both leads to a guess."
        ),
    ] = ""
    images: Annotated[
        int, For("product"), Rare(), Field(ge=5, le=51, description="Geometries of that band.")
    ] = 9
    upto: Annotated[
        Upto,
        Words({"barrier": ("activationenergy", "activationbarrier", "barrierheight")}),
        Field(
            description="The verified transition state alone; the path to both ends too; barriers "
            "and rate constants too."
        ),
    ] = "barrier"
    temperature: Annotated[
        Temperature, RATED, Unit("K"), Field(description="Of barriers and rates, K.")
    ] = 298.15
    pressure: Annotated[
        Pressure, RATED, Unit("PA"), Rare(), Field(description="Of barriers, Pa.")
    ] = 101325.0
    treatment: Annotated[
        Treatment, RATED, IN_WORDS, Rare(), Field(description="Soft modes in thermochemistry.")
    ] = "harmonic"
    max_steps: Annotated[Steps, Field(description="Steps of each search or optimisation.")] = 100
    path_steps: Annotated[
        Steps, FOLLOWED, Rare(), Field(description="Steps of each side of the path.")
    ] = 200
    convergence: Annotated[
        Convergence, Rare(), Field(description="Thresholds of searches and optimisations.")
    ] = "normal"
    force: Force = False

    @field_validator("along")
    @classmethod
    def _readable(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        for text in given:
            read_along(text)
        return given
