"""Published values that whole runs must reproduce: ``make evals``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import EvaluationReason, Evaluator, EvaluatorContext

from grafico import Grafico
from ontologies.vibrations import FrequencyAnalysis


class Question(BaseModel):
    """A request, and the number that is read from its result.

    Attributes:
        molecule: as a person would give it.
        method: the method.
        basis: the basis set.
        task: what is asked.
        quantity: `energy` in Eh, `dipole` in D, `lowest wavenumber` in cm⁻¹, `entropy` in
            J/mol/K.
        tolerance: how far the answer may be off, in the same unit.
        more: further arguments of `Grafico.run`.
    """

    molecule: str
    method: str
    basis: str
    task: str
    quantity: str
    tolerance: float
    more: dict[str, Any] = {}


@dataclass
class Within(Evaluator[Question, float, str]):
    """Passes if the number lies within the tolerance; the reason gives the deviation."""

    def evaluate(self, ctx: EvaluatorContext[Question, float, str]) -> EvaluationReason:
        """Compare with the published value."""
        assert ctx.expected_output is not None
        deviation = ctx.output - ctx.expected_output
        return EvaluationReason(
            abs(deviation) <= ctx.inputs.tolerance,
            f"deviation {deviation:+.2g}, allowed {ctx.inputs.tolerance:g}",
        )


def case(name: str, value: float, source: str, **question: Any) -> Case[Question, float, str]:
    """Return a case with its source."""
    return Case(name=name, inputs=Question(**question), expected_output=value, metadata=source)


SZABO = "A. Szabo, N. S. Ostlund, Modern Quantum Chemistry, 1989"
HEHRE = "W. J. Hehre et al., Ab Initio Molecular Orbital Theory, 1986"
JANAF = "NIST-JANAF, less R ln(1.01325) for 1 atm"

CASES = [
    case("He, HF/STO-3G", -2.807784, SZABO, molecule="[He]", method="HF", basis="STO-3G",
         task="energy", quantity="energy", tolerance=2e-6),
    case("H2, HF/STO-3G", -1.117506, HEHRE, molecule="[H][H]", method="HF", basis="STO-3G",
         task="optimise", quantity="energy", tolerance=2e-6),
    case("H2O, HF/STO-3G", -74.96590, HEHRE, molecule="O", method="HF", basis="STO-3G",
         task="optimise", quantity="energy", tolerance=2e-5),
    case("NH3, HF/STO-3G", -55.45542, HEHRE, molecule="N", method="HF", basis="STO-3G",
         task="optimise", quantity="energy", tolerance=2e-5),
    case("CH4, HF/STO-3G", -39.72686, HEHRE, molecule="C", method="HF", basis="STO-3G",
         task="optimise", quantity="energy", tolerance=2e-5),
    case("entropy of H2O", 188.72, JANAF, molecule="O", method="HF", basis="def2-SVP",
         task="frequencies", quantity="entropy", tolerance=0.7),
    case("entropy of CH4", 186.15, JANAF, molecule="C", method="HF", basis="def2-SVP",
         task="frequencies", quantity="entropy", tolerance=1.0),
]  # fmt: skip


def dataset() -> Dataset[Question, float, str]:
    """Return the cases with their evaluator."""
    return Dataset(name="published values", cases=CASES, evaluators=[Within()])


async def answer(question: Question, session: Grafico) -> float:
    """Run a request and read the number that was asked for."""
    result = await session.run_async(
        question.molecule, method=question.method, basis=question.basis, task=question.task,
        **question.more,
    )  # fmt: skip
    last = result.last
    match question.quantity:
        case "energy":
            return last.energy
        case "dipole":
            return float((last.dipole**2).sum() ** 0.5)
        case "lowest wavenumber" if isinstance(last, FrequencyAnalysis):
            return float(last.wavenumbers[0])
        case "entropy" if result.thermochemistry:
            return result.thermochemistry.entropy * 2625499.639
        case _:
            raise ValueError(f"{question.quantity} is not in a {type(last).__name__}")
