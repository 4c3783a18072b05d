"""What programs share whose levels are calculators of ASE, see `ase_surface`."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from workflows.engine.request.cost import Cost
from workflows.registry.levels import LevelT, Program
from workflows.registry.references import Cited, Described, cited
from workflows.text.names import plain
from workflows.text.words import count

if TYPE_CHECKING:
    from ontologies.atoms import ConceptualAtoms
    from workflows.dft.request.forms import DFTRequest
    from workflows.engine.request.cost import Granted

    from .ase_surface import ASESurface

STEPS = 12
"""Steps that a small molecule takes to relax; each atom adds one."""


class ASEProgram(Program[LevelT]):
    """A program whose energies and forces come from a calculator of ASE.

    Attributes:
        surface: where its `ASESurface` is, as `module:attribute`; a module beside its own may begin
            with a dot.
        seconds: for energy and forces of one geometry, for each atom, on one core.
        memory: in MB, the calculator loaded.
    """

    surface: ClassVar[str]
    seconds: ClassVar[float] = 1e-2
    memory: ClassVar[float] = 500.0

    def recognises(self, method: str) -> bool:
        return plain(method) in map(plain, self.methods)

    def surface_type(self) -> type[ASESurface[LevelT]]:
        """Return the class of its surfaces, loaded when it is asked for."""
        module, _, attribute = self.surface.partition(":")
        beside = type(self).__module__.rpartition(".")[0]
        return getattr(importlib.import_module(module, beside), attribute)

    def check(self, atoms: ConceptualAtoms, level: LevelT, request: DFTRequest) -> None:
        self.surface_type().check(atoms, level)

    def remarks(self, atoms: ConceptualAtoms, level: LevelT) -> tuple[str, ...]:
        if atoms.multiplicity == 1 or self.surface_type().knows_charge:
            return ()
        return (f"{level.method} knows no spin: every multiplicity has the same energy",)

    def described(self, level: LevelT, numbers: Sequence[int]) -> Described:
        ase = cited("library", "ase", "the Atomic Simulation Environment")
        return Described((Cited(f"the method {level.method}"), ase))

    def is_short(self, atoms: ConceptualAtoms, level: LevelT, request: DFTRequest) -> bool:
        return self._time(atoms, request) < 10.0

    def cost(
        self, atoms: ConceptualAtoms, level: LevelT, request: DFTRequest, granted: Granted
    ) -> Cost:
        size, advice = count(len(atoms.numbers), "atom"), "ask for a smaller molecule, or for less"
        return Cost(size, self._time(atoms, request), self.memory, factor=4.0, advice=advice)

    def _time(self, atoms: ConceptualAtoms, request: DFTRequest) -> float:
        many = len(atoms.numbers)
        steps = 1 if request.task == "energy" else min(request.max_steps, STEPS + many)
        if request.task == "frequencies" and many > 1:
            steps += 6 * many
        return steps * many * self.seconds
