"""Molecules in fields, beside charges, or with atoms held: by lines of manuals and outputs."""

from __future__ import annotations

import pytest

from workflows.outputs.programs import PROGRAMS

MODREDUNDANT = " The following ModRedundant input section has been read:\n"

HELD = [
    ("ORCA", '|  3> %pointcharges "around.pc"\n'),
    ("ORCA", "|  4> %scf EField 0.0, 0.0, 0.01 end\n"),
    ("ORCA", "| 12>   { B 0 1 1.10 C }\n"),
    ("ORCA", "| 12> %geom Constraints {C 0 C} {A 1 0 2 C} end end\n"),
    ("ORCA", "|  9> Q  -0.5  0.0 0.0 3.0\n"),
    (
        "Gaussian",
        " The following finite field(s) will be applied:\n   An electric field of   0.0\n",
    ),
    ("Gaussian", " Background charge distribution read from input stream:\n Point Charges:\n"),
    ("Gaussian", " #p hf/sto-3g field=x+10\n"),
    ("Gaussian", " # HF/STO-3G Charge NoSymm\n"),
    ("Gaussian", MODREDUNDANT + " A       2       1       3\n B       1       2 F\n"),
    ("Gaussian", MODREDUNDANT + " D       2       3      12      13 90.000 B\n"),
    ("Gaussian", " ! R1    R(1,2)    1.1    frozen, calculate D2E analytically    !\n"),
    ("Gaussian", " O                    -1   0.          0.          0.11779\n"),
    ("Q-Chem", "$external_charges\n 0.0 0.0 3.0 0.5\n$end\n"),
    ("Q-Chem", "$multipole_field\n Z 0.01\n$end\n"),
    ("Q-Chem", "$opt\nCONSTRAINT\nstre 1 2 1.1\nENDCONSTRAINT\n$end\n"),
    ("Q-Chem", "$opt\n fixed\n1 XYZ\nendfixed\n$end\n"),
    ("NWChem", " Total Bq charge:   0.50000000000000000\n"),
    ("NWChem", " fixed atoms                  :   1     2\n"),
    ("NWChem", " spring bond (i,j,k,r0)          1       2   1.000   1.100\n"),
    ("NWChem", "Number of frozen variables =    1\n"),
]

FREE = [
    ("ORCA", "|  1> ! HF STO-3G Opt\n|  2> %scf maxiter 50 end\n|  3> * xyz 0 1\n|  4> C 0 0 0\n"),
    ("ORCA", "|  2> # no EField, no { B 0 1 C }\n|  3> %geom Scan B 0 1 = 1.0, 2.0, 3 end end\n"),
    ("ORCA", "Total Charge           Charge          ....    0\n"),
    ("Gaussian", " #p opt hf/sto-3g pop=full\n Charge =  0 Multiplicity = 1\n O     0.  0.  0.1\n"),
    (
        "Gaussian",
        MODREDUNDANT + " B       1       2\n\n ! R1    R(1,2)    0.96    -DE/DX =    0.0    !\n",
    ),
    (
        "Gaussian",
        " Symbolic Z-matrix:\n O                     0   0.          0.          0.11779\n",
    ),
    ("Q-Chem", "$rem\nmethod hf\n$end\n$opt\nconnect\n4 3 2 3 6\nendconnect\n$end\n fixed\n"),
    ("NWChem", " no fixed atoms found\n no springs found\n no bondings springs found\n"),
    ("NWChem", " no constraints, skipping    0.0\n fixed trust radius     (trust) =   0.3\n"),
]


def biased(program: str, text: str) -> bool:
    """Whether a line of a text says so."""
    (one,) = [one for one in PROGRAMS if one.name == program]
    assert one.biased is not None
    assert one.held is not None
    return any(pattern.search("\n" + text) is not None for pattern in (one.biased, one.held))


@pytest.mark.parametrize(
    ("program", "text"),
    [
        ("Gaussian", MODREDUNDANT + " D       4       1       2       5 S  36 10.000\n"),
        ("Gaussian", " ! D25   D(3,4,9,10)           180.0            Scan                  !\n"),
        ("Gaussian", " Number of optimizations in scan=  13\n"),
        ("ORCA", "                       *    Relaxed Surface Scan    *\n"),
        ("Q-Chem", "JOBTYPE pes_scan\n"),
    ],
)
def test_a_scan_is_known_by_a_line(program: str, text: str) -> None:
    (one,) = [one for one in PROGRAMS if one.name == program]
    assert one.driven is not None
    assert one.driven.search("\n" + text)
    assert not biased(program, text)


@pytest.mark.parametrize(("program", "text"), HELD)
def test_it_is_known_by_a_line(program: str, text: str) -> None:
    assert biased(program, text)


@pytest.mark.parametrize(("program", "text"), FREE)
def test_others_are_free(program: str, text: str) -> None:
    assert not biased(program, text)


@pytest.mark.parametrize("program", [one.name for one in PROGRAMS])
def test_long_lines_are_looked_at_once(program: str) -> None:
    for piece in ("$opt\n", "| 1> { B 0 1 ", MODREDUNDANT + " B 1 2\n" * 9, " B 1 2" * 9, "9" * 99):
        assert biased(program, piece * 20_000) in (True, False)
