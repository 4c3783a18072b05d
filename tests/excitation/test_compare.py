"""What S1 and T1 alone would hide: other characters, inverted gaps, triplets that are too low."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from grafico import Grafico
from ontologies.excitations import ExcitedStates
from ontologies.gaps import SingletTripletGap
from workflows.engine import Answer
from workflows.excitation.compare import gap_of, paired

HF: dict[str, Any] = {"method": "HF", "basis": "STO-3G", "response": "TDA"}


def both(session: Grafico, smiles: str) -> tuple[Answer[Any], Answer[Any]]:
    """Singlets and triplets of a molecule as it was built."""
    first = session.run(smiles, states=5, **HF)
    return first.answers[-1], session.run(first.atoms, states=5, spin="triplet", **HF).answers[-1]


def changed(answer: Answer[Any], **fields: Any) -> Answer[ExcitedStates]:
    """The same result with other numbers, as another level could have given them."""
    result: ExcitedStates = answer.result
    return replace(answer, result=result.model_copy(update=fields))


def remarks(gap: SingletTripletGap) -> str:
    return "; ".join(gap.remarks)


def test_states_of_one_character_are_paired(session: Grafico) -> None:
    """Of acrolein S1 is n → π*, but T1 is π → π*: the triplet like S1 is T2."""
    singlets, triplets = both(session, "C=CC=O")
    gap = gap_of("acrolein", singlets, triplets)
    assert (gap.singlet_character, gap.triplet_character) == ("n → π*", "π → π*")
    assert gap.paired_triplet == 2
    one, other = (answer.result.excitation_energies for answer in (singlets, triplets))
    assert gap.paired_gap == one[0] - other[1]
    assert gap.singlet_triplet_gap == one[0] - other[0]
    assert "S1 is n → π*, T1 π → π*: the triplet like S1 is T2" in remarks(gap)
    assert "is dark" in remarks(gap)
    assert "(π → π*) at" in remarks(gap), "what absorbs is bright"


def test_of_several_of_one_character_the_most_alike_is_taken(session: Grafico) -> None:
    """Of glyoxal S1 and S2 are n → π*, from either combination of the lone pairs."""
    singlets, triplets = both(session, "O=CC=O")
    assert paired(singlets.result, triplets.result) == 0
    upper = changed(
        singlets,
        **{
            name: getattr(singlets.result, name)[1:]
            for name in (
                "excitation_energies",
                "oscillator_strengths",
                "transition_dipoles",
                "transitions",
                "characters",
            )
        },
    )
    assert paired(upper.result, triplets.result) == 2


def test_formaldehyde_needs_no_word_on_its_pair(session: Grafico) -> None:
    gap = gap_of("formaldehyde", *both(session, "C=O"))
    assert (gap.paired_triplet, gap.paired_gap) == (1, gap.singlet_triplet_gap)
    assert "triplet like S1" not in remarks(gap)


def test_too_few_states_to_find_the_pair(session: Grafico) -> None:
    singlets, triplets = both(session, "C=CC=O")
    kinds = ("π → π*",) * 5
    gap = gap_of("acrolein", singlets, changed(triplets, characters=kinds))
    assert gap.paired_triplet is None
    assert "no triplet like S1 is among 5: ask for more states" in remarks(gap)


def test_an_inverted_gap_is_told(session: Grafico) -> None:
    singlets, triplets = both(session, "C=O")
    higher = changed(triplets, excitation_energies=triplets.result.excitation_energies + 1.5)
    gap = gap_of("formaldehyde", singlets, higher)
    assert gap.singlet_triplet_gap is not None
    assert gap.singlet_triplet_gap < 0
    assert "inverted" in remarks(gap)
    assert "inverted" not in remarks(gap_of("formaldehyde", singlets, triplets))


def test_a_low_triplet_of_full_response_is_told(session: Grafico) -> None:
    singlets, triplets = both(session, "C=O")
    lower = triplets.result.excitation_energies - 2.4
    for response, told in (("TDDFT", True), ("TDA", False)):
        one = changed(singlets, response=response)
        gap = gap_of("formaldehyde", one, changed(triplets, excitation_energies=lower))
        assert ("compare with TDA" in remarks(gap)) is told


def test_results_of_an_earlier_version_have_no_character(session: Grafico) -> None:
    singlets, triplets = (changed(one, characters=()) for one in both(session, "C=O"))
    gap = gap_of("formaldehyde", singlets, triplets)
    assert (gap.singlet_character, gap.triplet_character, gap.paired_gap) == ("", "", None)
    assert "recompute" in remarks(gap)


def test_charge_transfer_at_a_global_hybrid_is_told(session: Grafico) -> None:
    singlets, triplets = both(session, "C=O")
    moved = changed(singlets, characters=("n → σ*, charge over 5.5 Å",) * 5)
    assert "exact exchange" not in remarks(gap_of("x", moved, triplets)), "all of it is"
    level = session.run("C=O", method="B3LYP", basis="STO-3G").level
    assert "20 % of exact exchange" in remarks(gap_of("x", changed(moved, level=level), triplets))
