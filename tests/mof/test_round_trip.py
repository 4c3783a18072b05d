"""What frameworks were built of is found again in their atoms."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from ontologies.mofs import FrameworkDesign
from tests.mof.disguises import crystal, disguised, primitive
from workflows.mof.apart import take_apart
from workflows.mof.builder import build
from workflows.mof.drawn import drawn
from workflows.mof.known_blocks import names_by_code
from workflows.mof.library import block_named, block_names
from workflows.mof.subject import design_of

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pormake") is None, reason="the blocks come with PORMAKE"
)


@pytest.mark.parametrize(
    ("text", "as_at_the_metals"),
    [
        ("unj N73 E111", True),
        ("ffa N257 N206 E35 E234", True),
        ("lil N153 N320 E112", False),
        ("stx N19 N355 E34", False),
        ("fsh N3 N646 E39 E186", False),
        ("tbo N409 N10 -", True),
    ],
)
def test_taking_apart_what_was_built_gives_back_net_and_blocks(text: str, as_at_the_metals: bool):
    """Drawn by `python -m evals.round_trip`, which tells how many of many come back.

    Nodes that hold parts of linkers, and nodes without a metal, are not what a cut at the metals
    gives; stx and fsh lose their net by it.
    """
    name, *words = text.split()
    design = design_of(drawn(name), [None if w == "-" else block_named(w) for w in words], text)
    made = build(design, "unrelaxed").framework
    found = take_apart(disguised(made.atoms, 5, noise=0.01))
    assert told(design) in map(told, found.designs)
    assert found.designs[0].iri == design.iri
    codes = {one.block.block_code for one in found.framework.blocks}
    assert (codes == {one.block.block_code for one in design.blocks}) == as_at_the_metals


def test_an_organic_part_without_end_is_cut_as_the_library_does():
    """Organic nodes that linkers bind to each other, beside metals."""
    text = "tfc N592 N409 - E232 E148"
    name, *words = text.split()
    design = design_of(drawn(name), [None if w == "-" else block_named(w) for w in words], text)
    found = take_apart(build(design, "unrelaxed").framework.atoms)
    assert found.framework.net == design.net
    assert any("goes on without end" in remark for remark in found.remarks)
    codes = {one.block.block_code for one in found.framework.blocks}
    assert codes == {one.block.block_code for one in design.blocks}
    assert [one.iri for one in found.designs] == [design.iri]


def told(design: FrameworkDesign) -> tuple[object, ...]:
    return design.net.name, {(o.placed_on, o.kind_number, o.block.iri) for o in design.blocks}


@pytest.mark.parametrize(
    ("name", "centring", "design"),
    [
        ("MOF-5", "F", "pcu N16 E14"),
        ("HKUST-1", "F", "tbo N10 N409"),
        ("UiO-66", "F", "fcu N419 E14"),
        ("MIL-88B", "", "acs N9 E14"),
        ("IRMOF-9", "", "pcu N16 E34"),
        ("ZIF-4", "", ""),
        ("Cd3BTB2", "", ""),
    ],
)
def test_crystals_are_named_by_blocks_of_the_library(name: str, centring: str, design: str):
    """The library has no imidazolates that end at the metal, and layers are not built."""
    atoms = primitive(crystal(name), centring) if centring else crystal(name)
    assert [one.name for one in take_apart(atoms).designs] == [design] * bool(design)


def test_what_the_library_does_not_have_has_no_design():
    """One linker of MOF-5 bears a bromine atom: two kinds of linkers stand on one kind of edges."""
    atoms = primitive(crystal("MOF-5"), "F")
    numbers = atoms.numbers.copy()
    numbers[np.flatnonzero(numbers == 1)[0]] = 35
    assert take_apart(atoms.model_copy(update={"numbers": numbers})).designs == ()


def test_the_table_of_blocks_is_that_of_the_library():
    assert {name for names in names_by_code().values() for name in names} == set(block_names())
    for name in block_names()[::40]:
        assert name in names_by_code()[block_named(name).block.block_code]
