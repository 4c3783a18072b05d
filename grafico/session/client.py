"""`Grafico`: the whole of it from Python, also inside a running event loop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .verbs import Verbs

if TYPE_CHECKING:
    from .batch import RunningBatch
    from .comparing import Beside
    from .converging import Converged


class Grafico(Verbs):
    """A session: a store, the slots of this machine, and what can be asked of them.

    Args:
        store: folder of the store or `memory:`; None for the settings'.
        threads_per_calculation: None for the settings'.
        listener: is told what happens while something runs.
        trace: where spans go, see `tracing.open_tracing`; None for the settings'.

    Raises:
        InputError: the settings or the store cannot be used, or the file for spans.
        ComponentError: spans were asked for and logfire is not installed.
    """

    def batch(
        self,
        source: object,
        *,
        workflow: str = "",
        grid: Mapping[str, Sequence[Any]] | None = None,
        said: Mapping[str, Any] | None = None,
        recompute: bool = False,
        **asked: Any,
    ) -> RunningBatch:
        """Ask the same of each entry of a source, such as a file of many molecules.

        Who asks again for the same goes on with it. Failures stand beside the rest.

        Args:
            source: a file, a folder, a query, or the IRI of a collection, see `grafico batch`; or
                texts such as SMILES, a mapping from names to them, a column or table of pandas.
            workflow: what is asked of each, by name; the usual one if empty.
            grid: arguments with several values, by name: each entry is computed with each.
            said: of the batch itself and of how the source is read, by field of `BatchRequest`
                and `ReadingMany`, such as `limit` or `column`.
            recompute: compute what is remembered too.
            asked: arguments of the workflow, such as `method`.

        Returns:
            An iterator over the rows as they end, with a pandas table at the end (`frame()`).

        Raises:
            GraficoError: the source cannot be read, or what is asked cannot be.
        """
        from .batch import start

        arguments = {name: value for name, value in asked.items() if value is not None}
        return start(
            self,
            source,
            recompute=recompute,
            each=workflow,
            arguments=arguments,
            grid=dict(grid or {}),
            **(said or {}),
        )

    def compare(
        self,
        subject: object,
        *,
        workflow: str = "",
        quantities: Sequence[str] = (),
        recompute: bool = False,
        **asked: Any,
    ) -> Beside:
        """Ask the same at several settings, and put what they come to side by side.

        Each setting has a run of its own, as if it had been asked for alone; what is remembered is
        not computed. One that fails stands beside the others with its reason.

        Args:
            subject: what it is about; see `run`.
            workflow: what is asked, by name; the usual one if empty.
            quantities: what is compared, by name; if empty, what the domain calls the headlines.
            recompute: compute what is remembered too.
            asked: arguments of the workflow, such as `method=["B3LYP", "PBE0"]`: each combination
                of what has several values is asked. An argument that some methods do not take,
                such as a basis set, is left out of these.

        Returns:
            A table of differences from the first setting, as blocks, numbers and `frame()`.

        Raises:
            InputError: nothing varies, what is asked cannot be, or there is no such quantity.
            GraficoError: the subject cannot be found or read.
        """
        from .comparing import asked_of_each, beside

        words = asked_of_each(workflow, asked)
        result = self.run(subject, workflow="batch", recompute=recompute, **words)
        return beside(result, quantities)

    def converge(
        self,
        subject: object,
        *,
        workflow: str = "",
        quantity: str = "",
        tolerance: float | None = None,
        recompute: bool = False,
        **asked: Any,
    ) -> Converged:
        """Make one setting better, step by step, until what is asked for stands.

        Args:
            subject: what it is about; see `run`.
            workflow: what is asked, by name; the usual one if empty.
            quantity: what is to stand, by name, such as `dipole`; the first headline if empty.
            tolerance: by which it may still change from one step to the next, in the unit of its
                differences (of energies in Eh, kJ/mol); if None 4 kJ/mol of an energy, else a
                hundredth of the value.
            recompute: compute what is remembered too.
            asked: arguments of the workflow. One that is a list is the series, the best last; if
                none is, the first with a known series, such as `basis`, goes on from its value.

        Returns:
            The series, each step with its change and its time, and which is enough.

        Raises:
            InputError: there is no series, or no such quantity.
            GraficoError: the subject cannot be found or read.
        """
        from .converging import climbed

        def run(words: Mapping[str, Any]) -> Any:
            return self.run(subject, workflow="batch", recompute=recompute, **words)

        return climbed(run, workflow, asked, self.settings.defaults, quantity, tolerance)
