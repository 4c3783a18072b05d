"""``grafico cube``: an orbital or a density of a result on a grid, as a cube file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .cli import check_output, existing, main, options, session
from .forms import threads_option
from .say import say

if TYPE_CHECKING:
    from ogm import KnowledgeGraph
    from ontologies.quantum import ElectronicResult
    from ontologies.units import Floats
    from ontologies.wavefunction import (
        DensityKind,
        DensityVolume,
        OrbitalVolume,
        SpinLabel,
        Volume,
    )
    from workflows.engine import Answer, Call

    from .client import Grafico


@main.command()
@click.argument("iri")
@options(
    click.option("--orbital", metavar="homo|lumo|N",
                 help="An orbital: homo, lumo, homo-1, lumo+2, or its number, counted from 1."),
    click.option("--spin", type=click.Choice(["alpha", "beta"]),
                 help="Of the orbital, where the spins do not share them.  [default: alpha]"),
    click.option("--density", is_flag=True, help="The density of all electrons."),
    click.option("--spin-density", is_flag=True, help="Alpha less beta electrons."),
    click.option("--spacing", type=float, help="Å between points.  [default: 0.15]"),
    click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path),
                 help="The file.  [default: by formula and kind, such as H2O-homo.cube]"),
    click.option("--force", is_flag=True, help="Replace the file if it exists."),
    threads_option,
    click.option("--quiet", is_flag=True, help="Show no progress."),
)  # fmt: skip
def cube(
    iri: str,
    orbital: str | None,
    spin: SpinLabel | None,
    density: bool,
    spin_density: bool,
    spacing: float | None,
    output: Path | None,
    force: bool,
    threads: int | None,
    quiet: bool,
    store: str | None,
    as_json: bool,
    debug: bool,
) -> None:
    """Write an orbital or a density of a result as a Gaussian cube file.

    IRI is that of a result, or of a run, whose last result is meant.
    """
    from workflows.dft.volumes import write_cube

    from .progress import Progress

    if sum((orbital is not None, density, spin_density)) != 1:
        raise click.UsageError("say which: --orbital, --density or --spin-density, and one only")
    if spin and orbital is None:
        raise click.UsageError("--spin is of an --orbital")
    existing(store)
    what = orbital if orbital is not None else "density" if density else "spin density"
    with (
        Progress(quiet) as progress,
        session(store, threads_per_calculation=threads, listener=progress) as grafico,
    ):
        result = result_of(grafico.kg, iri)
        name = "-".join(filter(None, (result.atoms.formula, what, spin)))
        path = output or Path(f"{_word(name)}.cube")
        check_output(path, force=force)
        answer = volume(grafico, result, what, spin, spacing)
        write_cube(answer.result, path)
    shape = tuple(int(count) for count in _values(answer.result).shape)
    if as_json:
        said = {
            "file": str(path.resolve()), "kind": what, "iri": answer.recorded,
            "reused": answer.reused, "result": result.iri, "level": result.level.label,
            "points": shape, "length_unit": "bohr", "value_unit": "atomic units",
        }  # fmt: skip
        say(json.dumps(said, indent=2))
        return
    grid = " × ".join(map(str, shape))
    say(f"{_name(answer.result)} at {result.level.label} ({grid} points)")
    say(f"written to {path.resolve()}" + (", remembered" if answer.reused else ""))


def result_of(kg: KnowledgeGraph, iri: str) -> ElectronicResult:
    """Return the result of an IRI, or the last one of a run.

    Raises:
        NotFoundError: nothing of that IRI is stored, or it has no wavefunction.
    """
    from ogm import GraphModel
    from ontologies.provenance import Outcome, Run
    from ontologies.quantum import ElectronicResult
    from triplestore.errors import NotFoundError

    from .client import full_iri

    found = kg.pull(GraphModel, full_iri(iri))
    asked = f"an orbital or a density of {iri} was asked for"
    if isinstance(found, Run):
        ends = sorted(kg.find(Outcome, run=found), key=lambda end: end.ended)
        links = ends[-1].results if ends else ()
        made = kg.pull_all(GraphModel, [link.iri for link in links])
        results = [one for one in made if isinstance(one, ElectronicResult)]
        if not results:
            raise NotFoundError(asked, "that run has no electronic result", "see `grafico runs`")
        return results[-1]
    if not isinstance(found, ElectronicResult):
        raise NotFoundError(
            asked, f"that is a {type(found).__name__}, which has no level of theory",
            "give the IRI of a result or of a run",
        )  # fmt: skip
    return found


def volume(
    grafico: Grafico,
    result: ElectronicResult,
    what: str,
    spin: SpinLabel | None = None,
    spacing: float | None = None,
) -> Answer[DensityVolume] | Answer[OrbitalVolume]:
    """Compute, or remember, a function in space of a result's wavefunction.

    Args:
        grafico: the session.
        result: its geometry and level are meant.
        what: `density`, `spin density`, or an orbital, such as `homo`, `lumo+1` or its number.
        spin: of an orbital; None for alpha.
        spacing: of the grid, in Å; None for 0.15.

    Raises:
        InputError: there is no such orbital, the spins share orbitals where they are to be told
            apart, the structure is periodic, or the grid would be too large.
        NotConvergedError: the SCF did not converge.
    """
    call = _call(result, what, spin, spacing)
    made: Any = call  # one kind or the other; the executor takes either
    return grafico.wait_for(lambda: grafico.executor.run(made))


def _call(
    result: ElectronicResult, what: str, spin: SpinLabel | None, spacing: float | None
) -> Call[DensityVolume] | Call[OrbitalVolume]:
    from triplestore.errors import InputError
    from workflows.dft.volumes import SPACING, density_volume, orbital_volume

    atoms, level = result.atoms, result.level
    asked = f"the {what} of {atoms.formula} at {level.label} was asked for"
    if atoms.cell is not None:
        raise InputError(asked, "the structure is periodic", "ask for that of a molecule")
    step = SPACING if spacing is None else spacing
    if what in ("density", "spin density"):
        if what == "spin density" and level.reference == "restricted":
            raise InputError(
                asked, "its electrons are all paired: it is zero everywhere",
                "ask for the density, or compute it with another multiplicity or reference",
            )  # fmt: skip
        kind: DensityKind = "density" if what == "density" else "spin density"
        return density_volume.bind(atoms, level, kind, step)
    if spin and level.reference == "restricted":
        raise InputError(asked, f"the spins share orbitals; there is no {spin} one", "leave it out")
    return orbital_volume.bind(atoms, level, what.lower(), spin or "alpha", step)


def _values(found: Volume) -> Floats:
    from ontologies.wavefunction import DensityVolume, OrbitalVolume

    assert isinstance(found, OrbitalVolume | DensityVolume)
    return found.amplitudes if isinstance(found, OrbitalVolume) else found.density


def _name(found: Volume) -> str:
    from ontologies.wavefunction import DensityVolume, OrbitalVolume

    if isinstance(found, OrbitalVolume):
        spin = f" {found.spin}" if found.spin else ""
        energy = f"{found.orbital_energy:.6f} Eh, occupation {found.occupation:g}"
        return f"orbital {found.orbital}{spin} of {found.atoms.formula}, {energy},"
    assert isinstance(found, DensityVolume)
    return f"{found.kind} of {found.atoms.formula}"


def _word(text: str) -> str:
    """Return what of a text can stand in the name of a file."""
    return "".join(c if (c.isascii() and c.isalnum()) or c in "+-" else "-" for c in text)[:80]
