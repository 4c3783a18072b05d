"""What names of methods, basis sets and options resolve to, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from ontologies.tightbinding import TightBinding
from tests.dft.conftest import Bench
from tests.dft.structures import WATER, level, single
from triplestore.errors import InputError, RecordError
from workflows.dft.level.bases import relativity_remark
from workflows.dft.level.dispersion import FORMS, dispersion_of
from workflows.dft.level.fitting import fitting_remark
from workflows.dft.level.functionals import USUAL
from workflows.dft.level.methods import NAMED
from workflows.dft.level.resolving import resolve_level
from workflows.dft.properties.energy import single_point
from workflows.dft.properties.surface import frequencies, optimise
from workflows.dft.scf.meanfield import mean_field, molecule


def remarks(method: str, basis: str = "STO-3G", **options: Any) -> str:
    return "\n".join(resolve_level(method, basis, "restricted", **options).remarks)


@pytest.mark.parametrize(
    ("spelt", "usual"),
    [
        ("hf", "HF"),
        ("b3lyp", "B3LYP"),
        ("camb3lyp", "CAM-B3LYP"),
        ("WB97X-V", "wB97X-V"),
        ("ωB97X-V", "wB97X-V"),
        ("omega B97M-V", "wB97M-V"),
        ("r²SCAN", "r2SCAN"),
        ("PBE1PBE", "PBE0"),
        ("HSEh1PBE", "HSE06"),
        ("lc-ωPBE", "LC-wPBE"),
        ("bhlyp", "BHandHLYP"),
        ("B88,LYP", "BLYP"),
        ("m062x", "M06-2X"),
        ("b3lypg", "B3LYP"),
        ("B3LYP/G", "B3LYP"),
        ("wB97X-2008", "wB97X"),
    ],
)
def test_names_have_one_spelling(spelt: str, usual: str) -> None:
    assert level(spelt, "def2svp") == level(usual, "def2-SVP")
    assert level(spelt, "def2svp").method == usual


def test_a_resolution_is_remembered(bench: Bench) -> None:
    assert bench.level("b3lyp", "def2svp") == level("B3LYP", "def2-SVP")


@pytest.mark.parametrize(
    ("spelt", "usual"),
    [
        ("6-31G(d)", "6-31G*"),
        ("6-31+g(d,p)", "6-31+G**"),
        ("sto3g", "STO-3G"),
        ("augccpvtz", "aug-cc-pVTZ"),
        ("DEF2-tzvpp", "def2-TZVPP"),
        ("6-311++G**", "6-311++G**"),
        ("lanl2dz", "LANL2DZ"),
        ("aug-cc-pvdz-pp", "aug-cc-pVDZ-PP"),
        ("crenbl", "CRENBL"),
    ],
)
def test_basis_sets_have_one_spelling(spelt: str, usual: str) -> None:
    assert level("HF", spelt).basis == usual


def test_every_usual_name_resolves_and_its_stored_level_can_be_computed() -> None:
    mol = molecule(WATER, level())
    for name in USUAL.values():
        resolved = level(name)
        assert resolved.method == name
        assert resolved.functional or name == "HF"
        mean_field(mol, resolved)


def test_levels_of_earlier_stores_keep_their_names() -> None:
    """IRIs of levels that were stored before there were options."""
    known = {
        ("HF", "STO-3G"): "53f246435da5ebc76a39a547f6a7d3ba",
        ("B3LYP", "def2-SVP"): "7ed043ce14ccc7f7ad5d2736116225aa",
        ("PBE0", "6-31G*"): "cb8db729a606e0cec956e39e5bbd63da",
    }
    for (method, basis), digest in known.items():
        assert level(method, basis).iri.endswith(digest)
    # before the parameters of VV10 were stored
    older = level("wB97X-V").model_copy(update={"nonlocal_parameters": ()})
    assert older.iri != level("wB97X-V").iri
    assert mean_field(molecule(WATER, older), older).do_nlc()


def test_a_level_says_what_its_name_resolved_to() -> None:
    plain = level("B3LYP", "def2-SVP")
    assert plain.functional == ("1 × HYB_GGA_XC_B3LYP (libxc 402)",)
    assert (plain.exact_exchange, plain.grid_level) == (0.2, 3)
    separated = level("wB97X-V")
    # N. Mardirossian, M. Head-Gordon, Phys. Chem. Chem. Phys. 16, 9904 (2014)
    assert separated.exact_exchange == pytest.approx(0.167)
    assert separated.long_range_exchange == 1.0
    assert separated.range_separation == 0.3
    assert separated.nonlocal_correlation == "VV10"
    assert separated.nonlocal_parameters == ("b=6", "C=0.01")
    assert level("HF").functional == ()
    exchange_only = level("PBE,")
    assert (exchange_only.method, len(exchange_only.functional)) == ("PBE,", 1)
    # a hyphen is no minus sign: PySCF by itself reads SCAN less VV10
    assert level("SCAN-VV10").functional[1] == "1 × MGGA_C_SCAN_VV10 (libxc 584)"


def test_corrections_bring_the_published_parameters() -> None:
    # S. Grimme et al., J. Comput. Chem. 32, 1456 (2011); J. Chem. Phys. 132, 154104 (2010);
    # E. Caldeweyher et al., J. Chem. Phys. 150, 154122 (2019), supplementary material
    published = {
        "D3(BJ)": ("s6=1", "s8=1.9889", "a1=0.3981", "a2=4.4211", "alp=14"),
        "D3(0)": ("s6=1", "s8=1.703", "rs6=1.261", "rs8=1", "alp=14"),
        "D4": ("s6=1", "s8=2.02929367", "a1=0.40868035", "a2=4.53807137", "alp=16"),
    }
    for kind, parameters in published.items():
        found = level("B3LYP", dispersion=kind).dispersion
        assert found is not None
        assert (found.kind, found.damping_parameters) == (kind, parameters)
        assert found.three_body == (kind == "D4")


@pytest.mark.parametrize("spelt", ["HF,PBE", "HF, PBE0", "b3lyp,PBE", "PBE,BLYP"])
def test_two_methods_between_commas_are_no_functional(spelt: str) -> None:
    """PySCF takes the exchange of the first with the correlation of the other, without a word."""
    with pytest.raises(InputError, match="correlation of"):
        level(spelt)
    assert level("HF,LYP").exact_exchange == 1.0  # one that is meant so


@pytest.mark.parametrize(
    ("spelt", "dispersion", "label"),
    [
        ("B3LYP-D4", "", "B3LYP-D4"),
        ("B3LYP", "d4", "B3LYP-D4"),
        ("b3lyp-d4", "D4", "B3LYP-D4"),
        ("B3LYP-D3(BJ)", "", "B3LYP-D3(BJ)"),
        ("B3LYP", "gd3bj", "B3LYP-D3(BJ)"),
        ("B3LYP-D3", "", "B3LYP-D3(BJ)"),
        ("M06-2X-D3", "", "M06-2X-D3(0)"),
        ("M06-2X", "d3zero", "M06-2X-D3(0)"),
        ("PBE-D3M(BJ)", "", "PBE-D3M(BJ)"),
        ("HF", "d4", "HF-D4"),
        ("ωB97X-D4", "", "wB97X-D4"),
        ("wB97X", "d4", "wB97X-D4"),
        ("wb97xd3", "", "wB97X-D3"),
        ("wB97X-D3(BJ)", "", "wB97X-D3(BJ)"),
        ("wB97M-D4", "", "wB97M-D4"),
        ("B97-D3", "", "B97-D3(BJ)"),
        ("B97-D", "d3bj", "B97-D3(BJ)"),
        ("wB97X", "vv10", "wB97X-V"),
        ("wB97M-V", "nl", "wB97M-V"),
        ("PBE", "none", "PBE"),
        ("BHandHLYP-D4", "", "BHandHLYP-D4"),
        ("PBE,PBE", "d4", "PBE-D4"),
    ],
)
def test_a_correction_is_named_once(spelt: str, dispersion: str, label: str) -> None:
    resolved = level(spelt, dispersion=dispersion)
    assert resolved.label == f"{label}/STO-3G"
    assert level(label) == resolved


def test_functionals_that_were_fitted_with_their_correction() -> None:
    mol = molecule(WATER, level())
    for named in NAMED:
        resolved = level(named.name)
        assert resolved.dispersion == dispersion_of(named.kind, named.parameters)
        assert named.definition in remarks(named.name)
        assert not resolved.nonlocal_correlation
        assert not mean_field(mol, resolved).do_nlc()
    (form,) = level("wB97X-D4").functional
    assert "WB97X_V" in form
    (form,) = level("wB97X-D3").functional
    assert "WB97X_D3" in form


def test_histories_of_names_are_told() -> None:
    assert "VWN5" in remarks("SVWN")
    assert "Perdew and Zunger" in remarks("BP86")
    assert "B3LYP5" in remarks("B3LYP")
    assert "hundred times" in remarks("wB97M-V")
    assert "D3(0)" in remarks("M06-2X-D3")
    assert "five d functions" in remarks("HF", "6-31G(d)")
    assert "five d functions" not in remarks("HF", "6-31G(d)", cartesian=True)
    assert "not relativistic" in remarks("HF", "cc-pVDZ-DK")
    assert "finer grid" in remarks("SCAN-D4")
    assert remarks("SCAN-D4", grid_level=7) == remarks("r2SCAN") == remarks("HF", "def2-SVP") == ""


def test_cartesian_functions_are_counted() -> None:
    five, six = level("HF", "6-31G*"), level("HF", "6-31G*", cartesian=True)
    assert molecule(WATER, six).nao == molecule(WATER, five).nao + 1
    assert six.label.endswith("(Cartesian)")


def test_core_potentials_are_recorded() -> None:
    assert level("HF", "LANL2DZ").core_potential == "LANL2DZ"
    assert level("HF", "cc-pVTZ-PP").core_potential == "cc-pVTZ-PP"
    assert level("HF", "def2-SVP").core_potential == level("HF", "STO-3G").core_potential == ""
    iodide = single(53, charge=-1)
    for basis in ("cc-pVTZ-PP", "def2-mTZVP", "LANL2DZ", "stuttgart", "CRENBL"):
        mol = molecule(iodide, level("HF", basis))
        assert mol.nelectron in (8, 18, 26), basis  # 46, 36 or 28 electrons replaced
    mercury = molecule(single(80), level("HF", "aug-cc-pVDZ-PP"))  # PySCF gives it no potential
    assert mercury.nelectron == 20
    assert molecule(single(29, charge=1), level("HF", "def2-TZVPP")).nelectron == 28
    with pytest.raises(InputError, match="no functions for Ag"):  # its potential is not there
        molecule(single(47, charge=1), level("HF", "cc-pVDZ-PP-NR"))
    assert "all electrons of I" in relativity_remark([1, 53], level("HF", "3-21G"))
    assert relativity_remark([1, 53], level("HF", "def2-SVP")) == ""


def test_auxiliary_sets_are_recorded() -> None:
    def fitted(method: str, basis: str, auxiliary: str = "") -> str:
        return level(method, basis, density_fitting=True, auxiliary_basis=auxiliary).auxiliary_basis

    assert fitted("B3LYP", "def2-SVP") == "def2-universal-jkfit"
    assert fitted("PBE", "def2-SVP") == "def2-universal-jfit"
    assert fitted("HF", "6-31G**") == "cc-pvdz-jkfit, def2-universal-jkfit"
    assert fitted("PBE", "6-31G*") == "def2-universal-jfit"
    assert fitted("BP86", "3-21G") == "def2-universal-jfit, even-tempered"
    assert fitted("HF", "cc-pVDZ-PP") == "def2-universal-jkfit"
    assert fitted("HF", "STO-3G", "cc-pVTZ-JKFIT") == "cc-pvtz-jkfit"
    chosen = level("HF", density_fitting=True, auxiliary_basis="cc-pVTZ-JKFIT")
    mol = molecule(single(53, charge=-1), chosen)
    with pytest.raises(InputError, match="no functions for I"):
        mean_field(mol, chosen)


def sizes(given: ConceptualAtoms, at: LevelOfTheory) -> int:
    return int(mean_field(molecule(given, at), at).with_df.build().auxmol.nao)


def test_what_a_library_has_is_taken_before_what_is_made() -> None:
    """Even-tempered functions are many: with them, fitting Cr(CO)6 takes longer than none."""
    iron = single(26, multiplicity=5)
    for method, basis in (("BP86", "3-21G"), ("B3LYP", "6-31G*"), ("PBE", "pc-1")):
        given = iron if basis != "pc-1" else single(6, multiplicity=3)
        at = level(method, basis, "unrestricted", density_fitting=True)
        made = at.model_copy(update={"auxiliary_basis": "even-tempered"})
        assert sizes(given, at) < 0.85 * sizes(given, made)
        assert fitting_remark(given.numbers.tolist(), at) == ""
        assert "three times" in fitting_remark(given.numbers.tolist(), made)


@pytest.mark.parametrize(
    ("method", "basis"), [("HF", "STO-3G"), ("HF", "3-21G"), ("PBE", "STO-3G"), ("HF", "def2-SVP")]
)
def test_heavy_elements_are_fitted_with_what_their_electrons_need(method: str, basis: str) -> None:
    """A def2 set fits what core potentials leave: without one it is off by 28 Eh for an iodine."""
    iodide = single(53, charge=-1)
    grid: dict[str, Any] = {} if method == "HF" else {"grid_level": 0}
    plain, fitted = (
        single_point(iodide, level(method, basis, density_fitting=fitting, **grid))
        for fitting in (False, True)
    )
    assert fitted.energy == pytest.approx(plain.energy, abs=0.01)
    slow = fitting_remark([53], fitted.level)
    assert bool(slow) is (basis != "def2-SVP")
    assert ("of I in" in slow) is bool(slow)
    if slow:
        wrong = fitted.level.model_copy(update={"auxiliary_basis": "def2-universal-jkfit"})
        with pytest.raises(InputError, match="no functions for I with all electrons"):
            single_point(iodide, wrong)


def test_levels_that_name_no_auxiliary_set_mean_what_they_meant() -> None:
    for method, basis, meant in (
        ("PBE", "3-21G", "even-tempered"),
        ("HF", "6-31G*", "cc-pvdz-jkfit, even-tempered"),
    ):
        at = level(method, basis, density_fitting=True)
        old = at.model_copy(update={"auxiliary_basis": ""})
        named = at.model_copy(update={"auxiliary_basis": meant})
        assert sizes(single(10), old) == sizes(single(10), named)


def test_solvents_by_their_usual_names() -> None:
    heptane = level(solvation="cpcm", solvent="heptane").solvation
    assert heptane is not None
    assert (heptane.model, heptane.solvent, heptane.dielectric) == ("C-PCM", "n-heptane", 1.9113)
    assert heptane.optical_dielectric == pytest.approx(1.926, abs=5e-4)  # 1.3878² (CRC Handbook)
    for spelt, usual in {
        "H2O": "water",
        "MeCN": "acetonitrile",
        "DCM": "dichloromethane",
        "Et2O": "diethyl ether",
        "DMSO": "dimethyl sulfoxide",
        "EtOAc": "ethyl acetate",
        "THF": "tetrahydrofuran",
        "dmf": "N,N-dimethylformamide",
        "n-Hexane": "n-hexane",
        "formic acid": "formic acid",
    }.items():
        found = level(solvation="smd", solvent=spelt).solvation
        assert found is not None
        assert found.solvent == usual
    medium = level(solvation="SS(V)PE", dielectric=10).solvation
    assert medium is not None
    assert (medium.model, medium.solvent, medium.optical_dielectric) == ("SS(V)PE", "", None)
    assert "C-PCM" in remarks("HF", solvent="water")


@pytest.mark.parametrize(
    ("method", "basis", "said"),
    [
        ("B3LPY", "def2-SVP", "did you mean B3LYP"),
        ("rubbish", "def2-SVP", "HF, density functionals"),
        ("", "def2-SVP", "HF, density functionals"),
        ("B3LYP-D2", "def2-SVP", "D2"),
        ("wB97X-D", "def2-SVP", "wB97X-D3, wB97X-D4 or wB97X-V"),
        ("B97-D", "def2-SVP", "ask for B97-D3"),
        ("OPBE-D", "def2-SVP", "D2"),
        ("GGA_XC_OPBE_D", "def2-SVP", "left out"),
        ("wB97M", "def2-SVP", "with a correction"),
        ("B97-D4", "def2-SVP", "no such functional"),
        ("SVWN-D4", "def2-SVP", "has them for HF, PBE"),
        ("M06-2X-D3(BJ)", "def2-SVP", r"there is D3\(0\)"),
        ("UHF", "def2-SVP", "follows the multiplicity"),
        ("UB3LYP-D4", "def2-SVP", "ask for B3LYP-D4, or for the reference unrestricted"),
        ("ROHF", "def2-SVP", "restricted open-shell"),
        ("B3LYP*", "def2-SVP", "HF, density functionals"),
        ("PBE0*", "def2-SVP", "HF, density functionals"),
        ("PBE-LYP", "def2-SVP", "HF, density functionals"),
        ("B97-3c", "def2-SVP", "3c methods"),
        ("LDA", "def2-SVP", "without correlation"),
        ("GGA_C_LYP", "def2-SVP", "without exchange"),
        ("MP2", "def2-SVP", "HF and density functionals"),
        ("B2PLYP", "def2-SVP", "double hybrid"),
        ("DSD-PBEP86-D3(BJ)", "def2-SVP", "double hybrid"),
        ("SCAN-rVV10", "def2-SVP", "rVV10"),
        ("BEEF-vdW", "def2-SVP", "van der Waals"),
        ("r2SCANL", "def2-SVP", "Laplacian"),
        ("CAMY-B3LYP", "def2-SVP", "Yukawa"),
        ("LDA_K_TF", "def2-SVP", "kinetic"),
        ("HF", "def2-SVPP2", "did you mean"),
        ("HF", "6-31G(d", "PySCF has none of that name"),
        ("HF", "6-31G(d)(p)", "PySCF has none of that name"),
        ("HF", "ccecp-cc-pvdz", "valence electrons"),
        ("HF", "gth-dzvp", "valence electrons"),
        ("HF", "def2-universal-jkfit", "fitting of densities"),
        ("HF", "cc-pVDZ-RI", "fitting of densities"),
        ("HF", "SDD", "from program to program"),
        ("HF", "unc-cc-pvdz", "Common ones"),
        ("HF", "rubbish", "PySCF has none of that name"),
        ("HF", "", "PySCF has none of that name"),
        ("HF", "../../etc/passwd", "PySCF has none of that name"),
        ("B3LPY", "def2-SVPP", "none has that name; .*PySCF.*did you mean B3LYP.*mean def2-SVP"),
    ],
)
def test_unknown_names_are_refused_with_the_nearest(method: str, basis: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        level(method, basis)


@pytest.mark.parametrize(
    ("method", "options", "said"),
    [
        ("B3LYP", {"dispersion": "d5"}, "this version computes"),
        ("B3LYP", {"dispersion": "d2"}, "D2"),
        ("B3LYP-D4", {"dispersion": "d3bj"}, "say it once"),
        ("B3LYP-D4", {"dispersion": "none"}, "say it once"),
        ("wB97M-V", {"dispersion": "d4"}, "already"),
        ("wB97M-V", {"dispersion": "none"}, "already"),
        ("HF", {"dispersion": "vv10"}, "those with VV10 are"),
        ("HF", {"solvent": "wter"}, "did you mean water"),
        ("HF", {"solvent": "water", "solvation": "cpmc"}, "did you mean C-PCM"),
        ("HF", {"solvation": "smd"}, "no solvent is named"),
        ("HF", {"solvation": "cpmc", "solvent": "none"}, "did you mean C-PCM"),
        ("HF", {"solvation": "smd", "dielectric": 5.0}, "more of a solvent"),
        ("HF", {"solvent": "water", "dielectric": 5.0}, "either"),
        ("HF", {"dielectric": -3.0}, "above 1"),
        ("HF", {"dielectric": float("nan")}, "above 1"),
        ("HF", {"solvation": "gas", "solvent": "water"}, "exclude"),
        ("HF", {"density_fitting": True, "auxiliary_basis": "def2-TZVP"}, "for orbitals"),
        ("HF", {"density_fitting": True, "auxiliary_basis": "cc-pVTZ-RI"}, "for orbitals or for"),
        ("HF", {"density_fitting": True, "auxiliary_basis": "def2-svp-jfit"}, "exact exchange"),
        ("HF", {"density_fitting": True, "auxiliary_basis": "nonsense"}, "none of that name"),
        ("HF", {"auxiliary_basis": "def2-universal-jkfit"}, "both or for neither"),
        ("HF", {"grid_level": 4}, "uses none"),
        ("PBE", {"grid_level": 10}, "0 .coarse. to 9"),
        ("HF", {"scf_tolerance": 0.0}, "makes sense"),
        ("HF", {"scf_tolerance": float("nan")}, "makes sense"),
    ],
)
def test_options_that_cannot_be_are_refused(method: str, options: dict, said: str) -> None:
    with pytest.raises(InputError, match=said):
        level(method, **options)


@pytest.mark.parametrize("solvent", ["none", "gas", "Vacuum"])
def test_a_model_beside_no_solvent_is_left_out(solvent: str) -> None:
    found = resolve_level("HF", "STO-3G", "restricted", solvation="SMD", solvent=solvent)
    assert found.level == level("HF")
    assert found.remarks == (f"gas phase, as the solvent is {solvent}: SMD is left out",)


def test_the_usual_grid_changes_nothing_of_hartree_fock() -> None:
    assert level("HF", grid_level=3) == level("HF")


def test_an_unknown_reference_is_refused() -> None:
    with pytest.raises(InputError, match="restricted open-shell"):
        level("HF", reference="generalised")


def test_unpaired_electrons_need_a_reference_for_them() -> None:
    with pytest.raises(InputError, match="unrestricted or restricted open-shell"):
        molecule(single(8, multiplicity=3), level())


def test_options_reach_the_mean_field() -> None:
    chosen = level("PBE", grid_level=1, scf_tolerance=1e-6, follow_instabilities=True)
    mf = mean_field(molecule(WATER, chosen), chosen)
    assert (mf.grids.level, mf.conv_tol, chosen.follow_instabilities) == (1, 1e-6, True)


def tampered(stored: LevelOfTheory, **changes) -> None:
    other = stored.model_copy(update=changes)
    with pytest.raises(RecordError, match="ask for the method anew"):
        mean_field(molecule(WATER, other), other)


def test_a_stored_level_never_becomes_another() -> None:
    """As if the libraries had moved since the level was stored."""
    stored = level("wB97X-V")
    tampered(stored, exact_exchange=0.2)
    tampered(stored, range_separation=0.4)
    tampered(stored, nonlocal_parameters=("b=5.9", "C=0.0093"))
    tampered(stored, functional=("1 × HYB_GGA_XC_WB97X_V (libxc 464)",))
    tampered(stored, functional=("1 × HYB_GGA_XC_WB97X_W (libxc 466)",))
    tampered(level("PBE"), nonlocal_correlation="VV10")
    corrected = level("B3LYP-D4")
    assert corrected.dispersion is not None
    for changes in (
        {"damping_parameters": ("s6=1", "s8=2", "a1=0.40868035", "a2=4.53807137", "alp=16")},
        {"three_body": False},
        {"functional": "nonsense"},
    ):
        tampered(corrected, dispersion=corrected.dispersion.model_copy(update=changes))
    dissolved = level(solvation="smd", solvent="water")
    assert dissolved.solvation is not None
    tampered(dissolved, solvation=dissolved.solvation.model_copy(update={"dielectric": 80.0}))


def test_the_name_of_a_stored_level_does_not_decide() -> None:
    """`wb97x-d4` alone is the functional of 2008 to PySCF 2.14, and another to later ones."""
    stored = level("wB97X-D4")
    assert mean_field(molecule(WATER, stored), stored).xc == "HYB_GGA_XC_WB97X_V"
    mixed = level("B3LYP5")
    mf = mean_field(molecule(WATER, mixed), mixed)
    assert mf._numint.libxc.hybrid_coeff(mf.xc) == pytest.approx(0.2)


def test_every_form_of_damping_is_read_and_proved() -> None:
    for kind in FORMS:
        found = dispersion_of(kind, "pbe")
        assert found is not None
        assert found.damping_parameters[0] == "s6=1"
    assert dispersion_of("D4", "nonsense") is None


def test_what_was_fitted_with_too_few_functions_is_named() -> None:
    """The keys of everything else stay as they are."""
    fitted = level("HF", "STO-3G", density_fitting=True)
    before = fitted.model_copy(update={"auxiliary_basis": ""})
    iodide, chloride = single(53, charge=-1), single(17, charge=-1)
    for calculation in (single_point, optimise, frequencies):
        for at in (fitted, before, level("HF", "STO-3G")):
            wrong = at is before
            plain = calculation.version
            expected = f"{plain}+fitting 2" if wrong else plain
            assert calculation.version_for([iodide, at]) == expected
            assert calculation.version_for([chloride, at]) == plain


@pytest.mark.parametrize("solvent", ["none", "gas", "gas phase", "Vacuum"])
def test_no_solvent_is_the_gas_phase(solvent: str) -> None:
    assert level(solvent=solvent) == level()


@pytest.mark.parametrize(
    ("other", "label"),
    [
        ({}, "PBE/def2-SVP"),
        ({"grid_level": 6}, "PBE/def2-SVP (grid 6)"),
        ({"scf_tolerance": 1e-6}, "PBE/def2-SVP (SCF to 1e-06 Eh)"),
        ({"follow_instabilities": True}, "PBE/def2-SVP (stable solution)"),
        (
            {"grid_level": 0, "follow_instabilities": True, "density_fitting": True},
            "PBE/def2-SVP (density-fitted) (grid 0, stable solution)",
        ),
    ],
)
def test_what_is_unusual_stands_in_the_label(other: dict[str, Any], label: str) -> None:
    level = resolve_level("PBE", "def2-SVP", "restricted", **other).level
    assert level.label == label
    tight = TightBinding(method="GFN2-xTB", accuracy=1.0)
    assert tight.label == "GFN2-xTB (accuracy 1)"
