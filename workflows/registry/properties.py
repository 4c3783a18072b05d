"""Properties: what a level can compute of a molecule besides a task, each declared once.

A folder of `workflows`, or a package that names itself at the entry point `grafico.properties`,
declares them in its `__init__`, as text, so that nothing is imported before somebody asks::

    PROPERTIES = (
        Property(
            "softness",
            {"LevelOfTheory": "softness.calculations:softness"},
            "softness.model:Softness",
            "Global softness.",
            words="softness, hardness",
        ),
    )

From a row follow the field and the option of the usual form, the step of its graph, what a planner
knows of it, the goal, what is refused, the estimate and the words of a sentence. A property is
computed at the levels that its row names, and at those whose program has a calculation of its name.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from workflows.registry.packages import PROPERTIES, declaring
from workflows.text.words import count

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from workflows.engine.request.form import Form


@dataclass(frozen=True)
class Effort:
    """What a property takes besides an energy at the same level.

    Attributes:
        cycles: of an SCF that take as long, for each spin.
        vectors: amplitudes of single excitations that are held at once, for each spin.
        trials: amplitudes to which the response of the electrons is computed, for each spin.
    """

    cycles: float = 0.0
    vectors: float = 0.0
    trials: float = 0.0

    @property
    def is_lengthy(self) -> bool:
        """Whether it takes longer than the energy."""
        return bool(self.cycles or self.trials)


@dataclass(frozen=True)
class Property:
    """What a level can compute of a molecule besides a task.

    Places are `module:attribute`; what stands there is imported when it is asked for.

    Attributes:
        name: the field of the form that asks for it; stored with every run, it never changes.
        calculations: where it is computed, by the class of levels. A calculation takes the atoms,
            the level and then what the form has, in its order; its result is an `EnergyResult`.
        result: the place of the class of its results.
        title: what it is, in a sentence: the description of its option.
        noun: what it is called in a sentence; its name if empty.
        step: the name of its step, stored with every run; made of its name if empty.
        does: what the step does, in a sentence; made of the noun if empty.
        goal: what is to be reached, in words; of a field that says how many, one of them.
        known: what is said where it is known already; made of the noun if empty.
        cost: of the step, in energies at the same level: which of several ways is the shorter.
        effort: what it takes; or the place of a function that says so of a request.
        form: the place of a form that has the field and others for it; a switch if empty.
        check: the place of a function of atoms, level and request that raises what cannot be.
        words: phrases that ask for it where it is a switch, see `workflows.registry.spoken.Phrase`.
        otherwise: what else people call its switch, see `OtherNames`.
        shows: what to read from its results then: beginnings of names of fields; its name if empty.
        usual: whether a model is told of its switch with the usual arguments; of others it is told
            the name first, so that what is installed does not lengthen each of its requests.
    """

    name: str
    calculations: Mapping[str, str] = field(hash=False)
    result: str
    title: str
    noun: str = ""
    step: str = ""
    does: str = ""
    goal: str = ""
    known: str = ""
    cost: float = 1.0
    effort: Effort | str = Effort()
    form: str = ""
    check: str = ""
    words: str = ""
    otherwise: tuple[str, ...] = ()
    shows: str = ""
    usual: bool = False

    @property
    def called(self) -> str:
        """What it is called in a sentence."""
        return self.noun or self.name.replace("_", " ")

    @property
    def verb(self) -> str:
        """`are` where there are several of it, as of what is asked for by a number; else `is`."""
        return "are" if self.form and self.called.endswith("s") else "is"

    @property
    def node(self) -> str:
        """The name of its step."""
        return self.step or self.name.title().replace("_", "")

    @functools.cached_property
    def fields(self) -> Mapping[str, FieldInfo]:
        """The fields of the form that are its own, that which asks for it among them."""
        from pydantic.fields import FieldInfo

        if not self.form:
            switch = FieldInfo(annotation=bool, default=False, description=self.title)
            if self.otherwise:
                from workflows.engine.request.rules import OtherNames

                switch.metadata.append(OtherNames(self.otherwise))
            if not self.usual:
                from workflows.engine.request.rules import Rare

                switch.metadata.append(Rare())
            return {self.name: switch}
        found = loaded(self.form).model_fields
        if self.name not in found:
            raise TypeError(f"{self.form} has no field {self.name}")
        return found

    def words_of_goal(self, value: object) -> str:
        """Return what is to be reached, in words; empty where nobody asks for it.

        Args:
            value: of the field that asks for it.
        """
        if not value:
            return ""
        goal = self.goal or f"its {self.called}"
        return count(value, goal) if isinstance(value, int) and value is not True else goal

    def arguments(self, said: object) -> dict[str, Any]:
        """Return what the calculation takes besides atoms and level, as a form or a step has it."""
        return {name: getattr(said, name) for name in self.fields} if self.form else {}

    def effort_of(self, request: Form) -> Effort:
        """Return what it takes, as it is asked for."""
        return loaded(self.effort)(request) if isinstance(self.effort, str) else self.effort


@dataclass(frozen=True)
class Properties:
    """The properties that are installed.

    Attributes:
        found: those that can be used.
        broken: those that were left out, by place, each with the reason.
    """

    found: tuple[Property, ...]
    broken: Mapping[str, str]


def loaded(place: str) -> Any:
    """Return what stands at a place."""
    module, _, attribute = place.partition(":")
    return getattr(importlib.import_module(module), attribute)


@functools.cache
def declared() -> Properties:
    """Return what the folders of `workflows` and installed packages declare.

    What is no property, or has the name or the step of another, is left out.
    """
    found: list[Property] = []
    broken: dict[str, str] = {}
    for place, module in declaring(PROPERTIES):
        if isinstance(module, Exception):
            broken[place] = f"{type(module).__name__}: {module}"
            continue
        for one in getattr(module, "PROPERTIES", ()):
            if not isinstance(one, Property):
                broken[place] = f"{one!r} in PROPERTIES is no Property"
            elif why := _clash(one, found):
                broken[f"{place}: {one.name}"] = why
            else:
                found.append(one)
    return Properties(tuple(found), broken)


def _clash(one: Property, found: Collection[Property]) -> str:
    """Return why a property cannot stand beside others, in words; empty where it can."""
    if not (one.name.isidentifier() and one.node.isidentifier()):
        return "its name is none of a field"
    if any(one.name == other.name for other in found):
        return f"there is a property of the name {one.name}"
    if any(one.node == other.node for other in found):
        return f"there is a property with the step {one.node}"
    return ""
