"""`Grafico`: the whole of it from Python, also inside a running event loop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .verbs import Verbs

if TYPE_CHECKING:
    from .batch import RunningBatch


class Grafico(Verbs):
    """A session: a store, the slots of this machine, and what can be asked of them.

    Args:
        store: folder of the store or `memory:`; None for the settings'.
        threads_per_calculation: None for the settings'.
        listener: is told what happens while something runs.
        trace: where spans go, see `tracing.open_tracing`; None for the settings'.
        accept: what was not computed here and may answer all the same, such as `imported` for what
            was read from files of other programs; None for the settings'.

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
            grid: arguments with several values, by name: each entry is computed with each. A list
                among the arguments is such, where one value is meant.
            said: of the batch itself and of how the source is read, by field of `BatchRequest`
                and `ReadingMany`, such as `limit` or `column`.
            recompute: compute what is remembered too.
            asked: arguments of the workflow, such as `method`.

        Returns:
            An iterator over the rows as they end, with a pandas table at the end (`frame()`).

        Raises:
            GraficoError: the source cannot be read, or what is asked cannot be.
        """
        from .batch import several, start

        arguments = {name: value for name, value in asked.items() if value is not None}
        many = several(workflow, arguments)
        arguments = {name: value for name, value in arguments.items() if name not in many}
        return start(
            self,
            source,
            recompute=recompute,
            each=workflow,
            arguments=arguments,
            grid={**many, **(grid or {})},
            **(said or {}),
        )
