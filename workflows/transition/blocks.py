"""What is shown of transition states, of paths and of barriers."""

from __future__ import annotations

from collections.abc import Iterator

from ontologies.factors import HARTREE
from ontologies.transition import (
    ElasticBand,
    PathBranch,
    PathEnd,
    ReactionBarrier,
    ReactionPath,
    TransitionState,
)
from workflows.molecule.blocks import structure
from workflows.show.blocks import Axis, Block, Chart, Column, Fact, Note, Series, Table
from workflows.show.course import course
from workflows.show.object_blocks import Around, floats, shows

from .ends import bonds
from .mode import named
from .tunnelling import RANGE

KJ, KCAL = HARTREE["kJ/mol"], HARTREE["kcal/mol"]


@shows(TransitionState, whole=True)
def _(found: TransitionState, around: Around) -> Iterator[Block]:
    del around
    yield Fact(
        "imaginary mode",
        found.wavenumber,
        "cm⁻¹",
        "wavenumber",
        digits=".1f",
        headline=True,
        note="the only one",
    )
    yield Fact("transition state", found.energy, "Eh", "energy", digits=".8f")
    pairs, rates = found.changing_pairs, found.distance_changes
    if pairs is not None and rates is not None:
        members: list[list[int]] = pairs.tolist()
        yield Table(
            "Distances along the imaginary mode",
            (
                Column("distance", name="pair"),
                Column("changes one way by", "Å", "distance_changes", "+.2f"),
            ),
            tuple(
                (named(tuple(pair), found.atoms), rate)
                for pair, rate in zip(members, floats(rates), strict=True)
            ),
            "changing",
            fields=("changing_pairs", "distance_changes"),
            note="where the atom that moves most moves by 1 Å; the way back has the other signs",
        )
    yield structure(found.atoms, "transition state", f"{-found.wavenumber:.0f}i cm⁻¹")


@shows(PathBranch)
def _(found: PathBranch, around: Around) -> Iterator[Block]:
    del around
    yield Fact(
        "side of the path",
        len(found.energies),
        "geometries",
        "geometries",
        fields=("forward",),
        also=(
            Fact(
                "gradient at its end", found.max_gradient, "Eh/bohr", "max_gradient", digits=".1e"
            ),
        ),
    )
    yield Chart(
        "Energy along this side of the path",
        Axis("way from the saddle point", "bohr·Da⁰·⁵"),
        Axis("energy", "Eh"),
        (Series("", floats(found.path_lengths), floats(found.energies), "line"),),
        "branch",
    )


@shows(ElasticBand)
def _(found: ElasticBand, around: Around) -> Iterator[Block]:
    del around
    yield Fact("elastic band", len(found.energies), "images", "geometries")
    yield Fact("highest image", found.energy, "Eh", "energy", digits=".8f")
    yield course(
        "Energy along the band",
        found.energies,
        "Above the first image",
        name="band",
        axis="image",
        zero=0,
        aside=False,
    )


@shows(PathEnd)
def _(found: PathEnd, around: Around) -> Iterator[Block]:
    del around
    yield Fact("end", found.smiles or found.atoms.formula, name="smiles", iri=found.atoms.iri)
    yield Fact(
        "energy",
        found.energy,
        "Eh",
        "energy",
        digits=".8f",
        note=found.stationarity or "",
        fields=("energy", "stationarity"),
    )


@shows(ReactionPath, whole=True)
def _(found: ReactionPath, around: Around) -> Iterator[Block]:
    low, high, top = found.reactant, found.product, found.transition_state
    yield Fact(
        "path",
        _arrow(found),
        name="path",
        headline=True,
        note="both ends alike" if found.degenerate else "",
        fields=("degenerate",),
    )
    for word, pairs in (("broken", found.bonds_broken), ("formed", found.bonds_formed)):
        if pairs is not None:
            yield Fact(f"bonds {word}", bonds(found, pairs), name=f"bonds_{word}")
    yield Table(
        "Ends of the path",
        (
            Column("structure", name="structure"),
            Column("bonds", name="smiles"),
            Column("energy", "Eh", "energy", ".8f"),
            Column("above", "kJ/mol", "relative", ".2f"),
            Column("geometry", name="atoms", minor=True),
        ),
        tuple(
            (word, text, energy, (energy - low.energy) * KJ, atoms.iri)
            for word, text, energy, atoms in (
                ("reactant", low.smiles, low.energy, low.atoms),
                ("transition state", "", top.energy, top.atoms),
                ("product", high.smiles, high.energy, high.atoms),
            )
        ),
        "ends",
        fields=("transition_state", "reactant", "product"),
        note="the lower end is called the reactant",
    )
    sides = [around.of(end.branch) for end in (low, high)]
    curves = [side for side in sides if isinstance(side, PathBranch)]
    if len(curves) == len(sides):
        yield _curve(found, curves)
    yield structure(low.atoms, "reactant", low.smiles)
    yield structure(high.atoms, "product", high.smiles)


def _arrow(path: ReactionPath, reverse: bool = False) -> str:
    ends = [end.smiles or end.atoms.formula for end in (path.reactant, path.product)]
    return " → ".join(ends[::-1] if reverse else ends)


def _curve(path: ReactionPath, sides: list[PathBranch]) -> Chart:
    """Return the energy along a path, from the reactant over the saddle point to the product."""
    (left, right), low = sides, path.reactant.energy
    ways = (*(-left.path_lengths[::-1]).tolist(), *right.path_lengths[1:].tolist())
    energies = (*left.energies[::-1].tolist(), *right.energies[1:].tolist())
    series = Series("", ways, tuple((one - low) * KJ for one in energies), "line")
    points = Series("", ways, series.y, "points")
    return Chart(
        "Energy along the path",
        Axis("intrinsic reaction coordinate", "bohr·Da⁰·⁵"),
        Axis("ΔE", "kJ/mol"),
        (series, points),
        "path",
        note="Above the reactant, relaxed",
    )


@shows(ReactionBarrier, whole=True, each=True)
def _(found: ReactionBarrier, around: Around) -> Iterator[Block]:
    way = _arrow(found.reaction_path, found.reverse)
    at = (
        Fact("", found.temperature, "K", "temperature", digits="g"),
        Fact("", found.pressure, "Pa", "pressure", digits="g"),
    )
    for label, field, name in (
        ("ΔG‡", "gibbs_barrier", ""),
        ("ΔH‡", "enthalpy_barrier", ""),
        ("ΔE‡ + ΔZPE", "zero_point_barrier", "energy_barrier_with_zero_point"),
        ("ΔE‡", "energy_barrier", ""),
    ):
        value: float = getattr(found, field)
        name = name or field  # what is called so cannot pass for the zero-point energies alone
        also = (
            Fact("", value * KCAL, "kcal/mol", name, digits=".2f"),
            Fact("", value, "Eh", name, digits=".8f", minor=True),
        )
        heat = name in ("gibbs_barrier", "enthalpy_barrier")
        yield Fact(
            f"{label} {way}",
            value * KJ,
            "kJ/mol",
            name,
            digits=".2f",
            also=also,
            at=at if heat else (),
            headline=name == "gibbs_barrier",
            fields=(field,),
        )
    yield Fact(
        "reaction-path degeneracy", found.path_degeneracy, name="path_degeneracy", digits="g"
    )
    rate = found.rate_constant
    yield Fact(
        f"rate constant {way}",
        rate,
        "s⁻¹",
        "rate_constant",
        digits=".3g",
        headline=True,
        note="Eyring, without tunnelling",
        fields=("rate_constant", "reverse"),
    )
    outside = f", outside its range ({found.tunnelling_ratio:.1f} > {RANGE:g})"
    yield Fact("hν‡/kT", found.tunnelling_ratio, name="tunnelling_ratio", digits=".2f")
    kinds = [("Wigner", "wigner_factor", found.wigner_factor)]
    if found.eckart_factor is not None:
        kinds.append(("Eckart", "eckart_factor", found.eckart_factor))
    for label, name, factor in kinds:
        beyond = outside if label == "Wigner" and found.tunnelling_ratio > RANGE else ""
        yield Fact(
            f"tunnelling, {label}",
            factor,
            name=name,
            digits=".3g",
            note=f"factor{beyond}",
            also=(
                Fact("rate constant", factor * rate, "s⁻¹", f"rate_{label.lower()}", digits=".3g"),
            ),
        )
    if not found.reverse:
        yield _levels(found, around)
    yield Note("ideal gas, rigid rotor, harmonic oscillator", minor=True)


def _levels(found: ReactionBarrier, around: Around) -> Chart:
    """Return reactant, transition state and product as levels."""
    path = found.reaction_path
    all_barriers = [one for one in around.results if isinstance(one, ReactionBarrier)]
    back = next((one for one in all_barriers if one.reverse and one.reaction_path == path), None)
    kinds = [("ΔE", "energy_barrier"), ("ΔE + ΔZPE", "zero_point_barrier"), ("ΔG", "gibbs_barrier")]
    ends = [
        end.smiles or end.atoms.formula
        for end in (found.reaction_path.reactant, found.reaction_path.product)
    ]
    series: list[Series] = []
    for label, name in kinds:
        up: float = getattr(found, name)
        heights = [0.0, up * KJ]
        if back is not None:
            heights.append((up - getattr(back, name)) * KJ)
        places = tuple(float(n) for n in range(len(heights)))
        series.append(Series(label, places, tuple(heights), "levels", joined=True))
    ticks = ((0.0, ends[0]), (1.0, "transition state"), (2.0, ends[1]))
    return Chart(
        "Levels",
        Axis("", ticks=ticks),
        Axis("above the reactant", "kJ/mol"),
        tuple(series),
        "levels",
    )
