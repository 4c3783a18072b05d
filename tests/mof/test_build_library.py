"""Nets and building blocks of PORMAKE, and what makes a block the same."""

import numpy as np
import pytest

from ontologies.atoms import ConceptualAtoms
from ontologies.mofs import MetalNode, OrganicLinker
from triplestore.errors import NotFoundError
from workflows.mof.codes import block_geometry
from workflows.mof.library import block_named, net_text


def test_a_block_is_the_same_however_it_is_turned_and_numbered() -> None:
    known = block_named("N16")
    assert isinstance(known.block, MetalNode)
    random = np.random.default_rng(3)
    order = random.permutation(len(known.atoms.numbers))
    turn = np.linalg.qr(random.normal(size=(3, 3)))[0]
    atoms = ConceptualAtoms(
        numbers=known.atoms.numbers[order], positions=known.atoms.positions[order] @ turn + 3.0
    )
    place = {int(old): new for new, old in enumerate(order)}
    again = block_geometry(
        atoms,
        known.connection_points[::-1] @ turn + 3.0,
        [place[int(at)] for at in known.connected_atoms[::-1]],
        "a copy",
    )
    assert again.block == known.block
    assert again.block.iri == known.block.iri


def test_para_and_meta_are_two_blocks_of_one_formula() -> None:
    para = block_named("E14")
    meta = block_geometry(para.atoms, para.connection_points, [1, 5], "1,3-phenylene")
    assert isinstance(para.block, OrganicLinker)
    assert para.block.formula == meta.block.formula == "C6H4"
    assert para.block != meta.block


def test_unknown_names_say_what_is_near() -> None:
    with pytest.raises(NotFoundError, match=r"near names: .*pcu"):
        net_text("pcx")
    with pytest.raises(NotFoundError, match="building block"):
        block_named("../N16")
