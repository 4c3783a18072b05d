"""The words of plain requests: what can be asked for, and what cannot."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from .plain_scan import words


@dataclass(frozen=True)
class Wish:
    """Something that can be read from results.

    Attributes:
        name: of what is read.
        pattern: how it is asked for.
        fields: what the calculation needs for it.
    """

    name: str
    pattern: re.Pattern[str]
    fields: dict[str, Any] = field(default_factory=dict[str, Any])


FREQUENCIES = {"task": "frequencies"}
ANALYSIS = {"analysis": True}
ENERGY = r"energ(?:y|ies)"

WISHES = (
    Wish(
        "gibbs",
        words(
            rf"gibbs(?:'s)?(?: free)?(?: {ENERGY})?|free (?:{ENERGY}|enthalp(?:y|ies))"
            r"|delta G|ΔG"
        ),
        FREQUENCIES,
    ),
    Wish("zero_point", words(rf"zero point(?: vibrational)?(?: {ENERGY})?|zpv?es?"), FREQUENCIES),
    Wish("enthalpy", words(r"enthalp(?:y|ies)"), FREQUENCIES),
    Wish("entropy", words(r"entrop(?:y|ies)"), FREQUENCIES),
    Wish(
        "thermochemistry",
        words(
            r"thermo chemistry|thermochemistry|thermochemical \w+|thermal "
            r"corrections?|thermodynamic(?:s| propert(?:y|ies)| data)"
        ),
        FREQUENCIES,
    ),
    Wish(
        "infrared",
        words(
            r"(?:infra ?red|IR)(?: (?:spectr(?:um|a)|intensit(?:y|ies)|bands|active"
            r" modes|absorption))"
        ),
        FREQUENCIES,
    ),
    Wish(
        "frequencies",
        words(
            r"(?:harmonic |vibrational |imaginary |lowest )*(?:frequenc(?:y|ies)|"
            r"wave ?numbers|normal modes|vibrations?|vibrational "
            r"(?:analysis|modes"
            r"|spectr(?:um|a))|imaginary modes?)|hessians?|freqs?"
        ),
        FREQUENCIES,
    ),
    Wish(
        "minimum",
        words(
            r"(?:a |true |local |real )*minim(?:um|a)(?: energy "
            r"structure)?"
        ),
        FREQUENCIES,
    ),
    Wish("solvation", words(rf"(?:electrostatic )?solvent contribution(?: to the {ENERGY})?")),
    Wish("dispersion", words(rf"dispersion (?:{ENERGY}|contribution)")),
    Wish(
        "gap",
        words(
            r"(?:homo(?:\s*(?:-|/|to|and)?\s*)lumo|orbital|frontier orbital) "
            rf"(?:{ENERGY} )?gaps?|(?:homo|fundamental) gaps?|gaps?"
        ),
        ANALYSIS,
    ),
    Wish(
        "orbitals",
        words(rf"(?:orbital|mo) {ENERGY}|(?:frontier|molecular) orbitals?|orbitals?"),
        ANALYSIS,
    ),
    Wish(
        "homo",
        words(rf"homos?(?: {ENERGY}| level)?|highest occupied (?:molecular )?orbital"),
        ANALYSIS,
    ),
    Wish(
        "lumo",
        words(
            rf"lumos?(?: {ENERGY}| level)?|lowest (?:un|un )occupied (?:molecular )?"
            r"orbital"
        ),
        ANALYSIS,
    ),
    Wish(
        "charges",
        words(
            r"(?:partial |atomic |net atomic |mulliken |l[oö]wdin |hirshfeld |iao )*"
            r"(?:charges(?! [-+\d])|charge distributions?|population analysis|atomic "
            r"populations?)(?: (?:on|at|of) (?:the |all |each |its )"
            r"?atoms?)?|mulliken|hirshfeld"
        ),
        ANALYSIS,
    ),
    Wish("bond orders", words(r"(?:mayer |wiberg )?(?:bond orders?|bond indices)"), ANALYSIS),
    Wish("spin density", words(r"spin (?:densit(?:y|ies)|populations?)"), ANALYSIS),
    Wish(
        "spin_squared",
        words(
            r"(?:<?S\^?[2²]>?|⟨S2⟩)(?: values?)?|spin contamination|"
            r"S squared"
        ),
    ),
    Wish("point group", words(r"point groups?|symmetr(?:y|ies)(?! number)"), ANALYSIS),
    Wish("rotational constants", words(r"rotational constants?"), ANALYSIS),
    Wish("quadrupole", words(r"quadrupoles?(?: moments?| tensor)?"), ANALYSIS),
    Wish(
        "analysis",
        words(
            r"(?:wave ?function|electronic structure) analysis|"
            r"multipole moments|analy[sz]e"
        ),
        ANALYSIS,
    ),
    Wish(
        "dipole",
        words(
            r"(?:electric |permanent |molecular )?dipoles?(?: moments?)?"
            r"(?: magnitudes?)?|polarity"
        ),
    ),
    Wish(
        "stability",
        words(
            r"(?:un|in)?stab(?:le|ility)(?: of the)?(?: (?:wave "
            r"?functions?|solution"
            r"|scf(?: solution)?|analysis|check|test))+|(?:(?:wave "
            r"?function|scf|hf|"
            r"internal|external) )(?:in)?stabilit(?:y|ies)(?: analysis)?"
        ),
        {"stability": True},
    ),
    Wish(
        "geometry",
        words(
            r"(?:(?:optimi[sz]ed|relaxed|equilibrium|optimal|stationary) )"
            r"(?:geometr(?:y|ies)|structures?|coordinates)"
        ),
        {"task": "optimise"},
    ),
    Wish(
        "compare",
        words(
            r"compare|comparison|(?:energy )?differences?(?: in energy)?|"
            r"rank|relative|"
            r"versus|vs\.?|which (?:one )?(?:is|has)(?: the)?(?: (?:more|most|less|"
            r"least|lower|lowest|higher|highest|larger|largest|bigger|biggest|smaller"
            r"|smallest))?(?: stable)?|more stable|lower in|(?:lower|higher) than|most stable|"
            r"order of|than|changes?|differs?|var(?:y|ies)|"
            r"which (?:isomer|conformer|molecule|structure|one)s?|how much (?:more|"
            r"less)"
        ),
    ),
    Wish(
        "energy",
        words(
            rf"(?:single point |total |electronic |ground state |scf |"
            rf"absolute |dft |ks "
            rf"|isomer |internal )*{ENERGY}|single points?(?: calculations?)?"
        ),
    ),
)
"""In the order in which they are looked for: `Gibbs energy` before `energy`."""

OPTIMISE = words(
    r"(?:geometr(?:y|ies)|structur(?:e|al))? ?(?:(?:re|pre)? "
    r"?opti?mi[sz](?:e[ds]?|ing|"
    r"ations?)|optimum|relax(?:ed|ing|ation|es)?|minimi[sz](?:e[ds]?|ing|ation))"
    r"(?: (?:the|its|their))?(?: (?:geometr(?:y|ies)|structures?))?"
    r"|geom(?:etry)?[.]? opt\.?|opt(?:\+freq)?"
)
AS_IS = words(
    r"(?:as (?:it is|given|is)|without (?:geometry )?(?:optimi[sz]ation|relaxation|"
    r"optimi[sz]ing(?: it)?|relaxing(?: it)?)|unoptimi[sz]ed|unrelaxed|(?:do not|don't) "
    r"(?:optimi[sz]e|relax)(?: it)?|at (?:the|this|its) (?:given )?geometry|fixed "
    r"geometry|no optimi[sz]ation|not (?:optimi[sz]ed|relaxed))"
)

NUMBER = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "twelve": 12,
    "fifteen": 15,
    "twenty": 20,
}
SPIN = {
    "singlet": 1,
    "doublet": 2,
    "triplet": 3,
    "quartet": 4,
    "quintet": 5,
    "sextet": 6,
    "septet": 7,
    "octet": 8,
}

CANNOT: tuple[tuple[re.Pattern[str], str, str], ...] = tuple(
    (words(pattern), why, instead)
    for pattern, why, instead in (
        (
            r"(?:dlpno )?cc[- ]?sd(?: ?\(t\)|t)?(?: f12)?|(?:sos |scs |ri |df |lmp|dlpno )?mp[2-5]|"
            r"(?:cas|ras|dmrg)[- ]?(?:scf|pt2|ci)|nevpt2|mrci|fci|cisd|eom ccsd|"
            r"adc\(?[23]\)?|cc[23]|"
            r"configuration interaction|coupled cluster|moller plesset|møller plesset|gw|bse|rpa",
            "wavefunction methods beyond Hartree–Fock are not computed here",
            "ask for HF or a density functional, such as wB97X-V/def2-TZVP",
        ),
        (
            r"gfn\d?(?: xtb)?|xtb|dftb\+?|am1|pm[367]|semi empirical|force ?fields?|"
            r"mmff\w*|uff|amber|"
            r"gaff|charmm|ani[- ]\dx|mace(?: off)?|machine learned",
            "semi-empirical methods, force fields and learned potentials are not computed here",
            "ask for HF or a density functional, such as PBE0-D4/def2-SVP",
        ),
        (
            r"[\w]+[- ]3c",
            "composite methods (“3c”) are not computed here",
            "ask for PBE0-D4/def2-SVP or r2SCAN-D4/def2-TZVP",
        ),
        (
            r"lda|local density approximation",
            "LDA has several meanings",
            "say SVWN (with VWN5) or SVWN3",
        ),
        (
            r"transition (?:state|structure)s?|ts search|saddle points?|(?:reaction |"
            r"energy )?barriers?"
            r"|activation \w+|irc|reaction (?:path|coordinate|mechanism)s?|neb",
            "transition states and paths are no plain request",
            "optimise the reactant and the product, as in “compare the energies of "
            "a.xyz and b.xyz”",
        ),
        (
            r"pka|acidity|basicity|proton(?:ation)? affinit(?:y|ies)|deprotonation \w+",
            "acidities need several calculations and a thermodynamic cycle",
            "Gibbs energy of acetate in water (SMD)",
        ),
        (
            r"(?:ioni[sz]ation|electron detachment) (?:energ(?:y|ies)|potentials?)|electron "
            r"affinit(?:y|ies)|core (?:electron|level)s?|electronegativity|"
            r"redox(?: potentials?)?|(?:oxidation|reduction) potentials?|hardness|fukui \w+",
            "that is a difference of ions, which a plain request does not set up",
            "ask for the energies of the molecule and of its ion, as in “energy of benzene cation”",
        ),
        (
            r"(?:binding|interaction|adsorption|association|dimeri[sz]ation|dissociation|bond "
            r"dissociation|atomi[sz]ation"
            r"|cohesive|reaction|formation|solvation free|stabili[sz]ation|strain|"
            r"hydration|combustion|"
            r"lattice) (?:free )?(?:energ(?:y|ies)|enthalp(?:y|ies))|(?:heats?|"
            r"enthalp(?:y|ies)|energ(?:y|"
            r"ies)) of (?:formation|reaction|combustion|atomi[sz]ation|solvation|hydration)|"
            r"solvation energ(?:y|ies)|(?:reaction|products?|reactants?) of|hydrogen bond\w*|bde|"
            r"counterpoise|bsse|bond (?:energ(?:y|ies)|strengths?)|equilibrium constants?",
            "that is a difference between species, which a plain request does not set up",
            "ask for the energy of each species, as in “energies of ethanol and dimethyl ether”",
        ),
        (
            r"n\.?m\.?r\.?|chemical shifts?|shieldings?|coupling constants?|epr|esr|hyperfine \w+|"
            r"g tensors?|raman|vcd|ecd|roa|x ray|xps|xanes|mass spectr\w+|m[oö]ssbauer|"
            r"fluorescen\w+|phosphorescen\w+|emission|excited state (?:geometr\w+|"
            r"optimi[sz]ation\w*|"
            r"dipoles?)|intersystem crossing|conical intersections?|spin orbit \w+|vibronic \w+|"
            r"two photon \w+|circular dichroism",
            "that property is not computed here",
            "what there is: energies, geometries, frequencies, thermochemistry, "
            "vertical excitations, "
            "charges, bond orders, orbitals, moments",
        ),
        (
            r"bond (?:lengths?|distances?|angles?)|(?:interatomic )?distances between|"
            r"dihedral angles? of"
            r"|torsion angles?",
            "lengths and angles are not measured by plain requests",
            "optimise the molecule; its geometry has an IRI, which grafico convert "
            "writes to a file",
        ),
        (
            r"polari[sz]abilit(?:y|ies)|hyper\w+abilit(?:y|ies)|magneti[sz]abilit(?:y|ies)|"
            r"electrostatic potentials?|esp charges|resp charges|chelpg|natural (?:bond|"
            r"population) \w+|"
            r"nbo|npa|qtaim|elf|nics|aromaticity|steric \w+",
            "that property is not computed here",
            "what there is: Mulliken, Löwdin, IAO and Hirshfeld charges, Mayer bond "
            "orders, dipole, "
            "quadrupole",
        ),
        (
            r"conformers?|conformational (?:search|\w+)|rotamers?|tautomers?|crystal structures?|"
            r"band (?:gaps?|structures?)|bulk|phonons?|periodic|unit cells?|surfaces?|slabs?|"
            r"molecular dynamics|md|aimd|metadynamics|monte carlo|docking|qsar|"
            r"solubilit(?:y|ies)|log ?p|"
            r"(?:melting|boiling|flash) points?|viscosit(?:y|ies)|densit(?:y|ies) of "
            r"states|dos|toxicity|"
            r"(?<!spin\ )densit(?:y|ies)(?! (?:fitting|functional))|scan (?:of |the |"
            r"along )?(?:the |a )?(?:dihedral|bond|angle|distance|"
            r"torsion|potential|coordinate)\w*|potential energy (?:surface|curve|scan)s?|pes|"
            r"dissociation curves?|lattice \w+|retrosynthesis|synthesi[sz]e|synthesis|kinetics?|"
            r"rate constants?|half li\w+|anharmonic\w*|vpt2|isotop\w+|deuterat\w+|"
            r"explicit (?:solvents?|"
            r"waters?)|micro ?solvation|qm ?/ ?mm|oniom|relativistic|zora|dkh2?|x2c|"
            r"frozen core|complete basis set(?: limit)?|cbs|extrapolat\w+|pseudo ?potentials?",
            "that is no plain request",
            "the family of plain requests is described in docs/requests.md",
        ),
        (
            r"(?:de)?protonated|oxidi[sz]ed|reduced|heavy|isotopically labell?ed|enol "
            r"form of|hydrated",
            "a word that makes another molecule of it has to be in its name",
            "give the name, the SMILES or a file of what is meant, such as hydronium or acetate",
        ),
        (
            r"planar|linear(?! response)|bent|twisted|eclipsed|staggered|chair|boat|"
            r"gauche|anti ?periplanar|axial|"
            r"equatorial|syn|tetrahedral|square planar|pyramidal|perpendicular|"
            r"stretched|d[2-6][hd]|"
            r"c[2-6]v",
            "a name or a SMILES stands for one geometry, which is made of it; another "
            "one has to be "
            "given",
            "give the geometry as a file, as in “is planar.xyz a minimum?”",
        ),
        (
            r"(?:high|low|intermediate) spin",
            "it says no multiplicity",
            "name it, such as quintet, or ask which spin state is lowest",
        ),
        (
            r"open shell singlets?|broken symmetry|bs dft|di ?radicals?|biradicals?|"
            r"antiferromagnetic",
            "a broken-symmetry state is no plain request",
            "say singlet or triplet, or ask for the stability of the wavefunction",
        ),
        (
            r"qm9|benchmark sets?|all (?:molecules|functionals|methods|isomers|compounds)|every "
            r"(?:molecule|functional)|(?:best|suitable|appropriate|good|accurate) "
            r"(?:functional|method|"
            r"basis|level)\w*",
            "the choice has to be made by you",
            "name molecules, method and basis set",
        ),
        (
            r"plot|draw|picture|image|visuali[sz]e|cube files?|isosurfaces?|3d",
            "pictures are no plain request",
            "grafico report makes a page with pictures of a run",
        ),
        (
            r"if|unless|until|otherwise|except|excluding|not|never|without(?! (?:any )"
            r"?(?:dispersion|"
            r"solvent|symmetry))|neither|nor|but not|rather than",
            "conditions and exceptions are not understood by plain requests",
            "say what is wanted, and only that",
        ),
    )
)
"""What is refused: how it is asked for, why, and what can be done in its place."""

BACK = words(
    r"it|its|that|this|these|those|them|they|same|again|previous|last|above|"
    r"before|instead|"
    r"earlier|former|latter|now|also|too|continue|redo|repeat|rerun|another|other|one|"
    r"next|result|results"
)
"""Words that point to something said before."""

_BINDING = """
dimer dimers trimer tetramer oligomer polymer cluster clusters complex complexes crystal salt
hydrate hydrochloride hydrobromide zwitterion enol keto isomer isomers enantiomer conjugate adduct
ice solution solid film ligand hexamer pentamer derivative derivatives excimer exciplex ester ion
"""
BINDING = frozenset(_BINDING.split())
"""Words that make another thing of the molecule before them."""

_STOP = """
a an the of for and or to at with using by on from is are was be do does did can could would
should will shall may please pls kindly me my i we us you your what what's whats which how much
many give get find compute computed calculate calculated calculation calculations calc calculating
determine obtain evaluate run perform carry out show tell return report print need want like know
let let's lets about molecule molecules molecular compound compounds species system systems
structure structures geometry geometries level levels theory method methods functional functionals
basis set sets dft scf ks use used via as in its it their this that these those there each both
all value values number list some any have has having hi hello dear thanks thank then also just
only first after following followed state states ground electronic quantum chemistry chemical
chemically job task estimate predict between it's they them ok okay so good morning quick quickly
now and/or & + = : - — together phase property properties result results file files xyz input
attached the, make sure whether we'd i'd i'm im hey approximate approximation within under per
assuming given who where when over into onto through se non optimised optimized respectively
respective neat same too moment moments large small big high low great possible lowest
lies lie check w/ finding
"""
STOP = frozenset(_STOP.split())
"""Words that carry nothing of their own."""

_KEYWORDS = """
energy energies optimise optimize optimisation optimization frequencies frequency vibrational
dipole moment charges charge multiplicity singlet doublet triplet gibbs enthalpy entropy
thermochemistry excited excitations states orbitals homo lumo gap bond orders stability
wavefunction minimum solvent vacuum pressure temperature dispersion convergence tight loose freeze
distance angle dihedral quadrupole symmetry compare difference hartree fock cation anion radical
neutral geometry structure infrared spectrum relax constraints unrestricted restricted reference
cartesian density fitting interaction binding counterpoise fragments
"""
KEYWORDS = tuple(_KEYWORDS.split())
"""What a slip in a word is compared with."""

EXAMPLES = (
    "energy of water",
    "optimise aspirin at B3LYP/def2-SVP and give me the dipole",
    "frequencies of ammonia at 350 K and 2 bar",
    "HOMO-LUMO gap of ethylene and benzene at HF/6-31G*",
    "first 5 singlet excited states of formaldehyde with TDA",
    "compare the energies of cis.xyz and trans.xyz",
    "Gibbs energy of acetate in water",
    "charges and bond orders of SF6",
    "which spin state of O2 is lowest?",
    "interaction energy of the water dimer",
    "what results are stored for water?",
)
"""Requests that can be done; the nearest are suggested."""
