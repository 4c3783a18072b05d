"""``python -m evals.round_trip``: whether taking apart gives back what frameworks were built of.

Nets, nodes with a metal in one of them at least, and linkers of PORMAKE are drawn by a seed, nodes
among those that fit their vertices, a fifth of the edges without a linker. What is built without a
remark but for twisted planes is taken apart as a crystal of which nothing but its atoms and its
cell is known. Compared are the net, the blocks as they are cut at the metals, and the designs: net
and library blocks where they stand.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ontologies.mofs import BlockGeometry, ConstructedFramework, FrameworkDesign
from triplestore.errors import GraficoError, InputError
from workflows.mof.apart import take_apart
from workflows.mof.builder import build
from workflows.mof.codes import is_metal
from workflows.mof.designed import designed
from workflows.mof.drawn import DrawnNet, drawn
from workflows.mof.library import block_named, block_names, connections_of, net_names, nodes_with
from workflows.mof.matching import arms_of, figure_rmsd
from workflows.mof.pieces import bonds_of_crystal

MOST_ATOMS, MOST_VERTICES, TRIED = 1500, 60, 30
"""Of the cell of the net; nodes that are tried on a kind of vertices."""

EMPTY = 0.2
"""Share of kinds of edges on which nothing stands."""

FIT = 0.3


@dataclass(frozen=True)
class Returned:
    """What came back of a framework.

    Attributes:
        design: what it was built of.
        atoms: how many its cell has.
        net: whether the net, cut at the metals, is the same.
        blocks: whether net and blocks, cut at the metals, are.
        library: whether net and blocks of a design that was found are, where they stand.
        told: how many designs were found.
        seconds: of taking it apart.
        reason: why it did not come back; empty if it did.
    """

    design: FrameworkDesign
    atoms: int
    net: bool
    blocks: bool
    library: bool
    told: int
    seconds: float
    reason: str


def drawn_by_lot(seed: int, largest: int = MOST_ATOMS) -> Iterator[ConstructedFramework]:
    """Iterate over frameworks that are built without a remark, without end."""
    chance = np.random.default_rng(seed)
    links = [name for name in block_names() if connections_of(name) == 2]
    while True:
        name = str(chance.choice(net_names()))
        try:
            net = drawn(name)
        except InputError:
            continue  # its file contradicts itself
        if len(net.kinds) > MOST_VERTICES:
            continue
        nodes = [_node(chance, net, kind) for kind in sorted(set(net.kinds))]
        edges = [
            None if chance.random() < EMPTY else block_named(str(chance.choice(links)))
            for _ in net.pairs
        ]
        whole = [one for one in nodes if one is not None]
        if len(whole) < len(nodes) or not any(map(_has_metal, whole)):
            continue
        design = designed(net, whole, edges)
        if _size(design) > largest:
            continue
        try:
            made = build(design, "unrelaxed")
        except GraficoError:
            continue
        if all("twisted" in remark for remark in made.framework.remarks):
            yield made


def _node(chance: np.random.Generator, net: DrawnNet, kind: int) -> BlockGeometry | None:
    wanted = net.directions(net.kinds.index(kind))
    for name in chance.permutation(nodes_with(len(wanted)))[:TRIED].tolist():
        block = block_named(name)
        if figure_rmsd(arms_of(block), wanted) <= FIT:
            return block
    return None


def _has_metal(block: BlockGeometry) -> bool:
    return any(map(is_metal, block.atoms.numbers.tolist()))


def _size(design: FrameworkDesign) -> int:
    return sum(
        len(one.geometry.atoms.numbers) * one.placements for one in design.blocks if one.geometry
    )


def returned(made: ConstructedFramework, design: FrameworkDesign) -> Returned:
    """Return what of a design comes back from the atoms that were built of it."""
    atoms, start = made.framework.atoms, time.perf_counter()
    try:
        found = take_apart(atoms)
    except GraficoError as error:
        took = time.perf_counter() - start
        return Returned(design, len(atoms.numbers), False, False, False, 0, took, str(error))
    took = time.perf_counter() - start
    framework = found.framework
    names = (framework.net.name, *framework.other_nets) if framework.net else ()
    net = design.net.name in names
    codes = [{one.block.block_code for one in of.blocks} for of in (framework, design)]
    library = _told(design) in map(_told, found.designs)
    reason = "" if library else _reason(made, bool(found.designs))
    return Returned(
        design,
        len(atoms.numbers),
        net,
        net and codes[0] == codes[1],
        library,
        len(found.designs),
        took,
        reason,
    )


def _told(design: FrameworkDesign) -> tuple[object, ...]:
    """Return net and blocks where they stand."""
    where = [(one.placed_on, one.kind_number, one.block.block_code) for one in design.blocks]
    return design.net.name, frozenset(where)


def _reason(made: ConstructedFramework, other: bool) -> str:
    """Return why a design did not come back."""
    framework = made.framework
    assert framework.bonded is not None
    near = {(min(a, b), max(a, b)) for a, b, _ in bonds_of_crystal(framework.atoms).edges}
    meant = {(int(a), int(b)) for a, b in framework.bonded}
    if near != meant:
        return f"by distance {len(near - meant)} bonds more and {len(meant - near)} fewer"
    return "another design was found" if other else "no design was found"


def main() -> int:
    """Print what came back of each framework, then how many did."""
    parser = argparse.ArgumentParser(prog="python -m evals.round_trip", description=__doc__)
    parser.add_argument("--count", type=int, default=60, help="frameworks that are built")
    parser.add_argument("--seed", type=int, default=2026, help="of the lot")
    asked = parser.parse_args()
    totals = Counter[str]()
    print("| framework | atoms | net | blocks at the metals | library blocks | designs | s | why |")
    print("|---|---|---|---|---|---|---|---|")
    for number, made in enumerate(drawn_by_lot(asked.seed), 1):
        framework = made.framework
        assert framework.net is not None
        design = FrameworkDesign(net=framework.net, blocks=framework.blocks)
        one = returned(made, design)
        totals.update(net=one.net, blocks=one.blocks, library=one.library)
        marks = " | ".join("yes" if mark else "no" for mark in (one.net, one.blocks, one.library))
        print(
            f"| {framework.framework_name} | {one.atoms} | {marks} | {one.told} | "
            f"{one.seconds:.1f} | {one.reason} |",
            flush=True,
        )
        if number == asked.count:
            break
    print(
        f"\nof {asked.count}: {totals['net']} with their net, {totals['blocks']} with net and "
        f"blocks as cut at the metals, {totals['library']} with net and blocks of the library"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
