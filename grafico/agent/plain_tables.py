"""Names of solvents, elements and kinds of molecules, as plain requests have them."""

from __future__ import annotations

import re

SOLVENT_NAMES = """
1,1,1-trichloroethane|1,1,2-trichloroethane|1,2,4-trimethylbenzene|1,2-dibromoethane
1,2-dichloroethane|1,2-ethanediol|1,4-dioxane|1-bromo-2-methylpropane|1-bromooctane|1-bromopentane
1-bromopropane|1-butanol|1-chlorohexane|1-chloropentane|1-chloropropane|1-decanol|1-fluorooctane
1-heptanol|1-hexanol|1-hexene|1-hexyne|1-iodobutane|1-iodohexadecane|1-iodopentane|1-iodopropane
1-nitropropane|1-nonanol|1-octanol|1-pentanol|1-pentene|1-propanol|2,2,2-trifluoroethanol
2,2,4-trimethylpentane|2,4-dimethylpentane|2,4-dimethylpyridine|2,6-dimethylpyridine
2-bromopropane|2-butanol|2-chlorobutane|2-heptanone|2-hexanone|2-methoxyethanol
2-methyl-1-propanol|2-methyl-2-propanol|2-methylpentane|2-methylpyridine|2-nitropropane|2-octanone
2-pentanone|2-propanol|2-propen-1-ol|E-2-pentene|3-methylpyridine|3-pentanone|4-heptanone
4-methyl-2-pentanone|4-methylpyridine|5-nonanone|acetic acid|acetone|acetonitrile|acetophenone
aniline|anisole|benzaldehyde|benzene|benzonitrile|benzyl alcohol|bromobenzene|bromoethane|bromoform
butanal|butanoic acid|butanone|butanonitrile|butyl acetate|butylamine|n-butylbenzene
sec-butylbenzene|tert-butylbenzene|carbon disulfide|carbon tetrachloride|chlorobenzene|chloroform
benzyl chloride|o-chlorotoluene|m-cresol|o-cresol|cyclohexane|cyclohexanone|cyclopentane
cyclopentanol|cyclopentanone|decalin|cis-decalin|n-decane|dibromomethane|dibutyl ether
o-dichlorobenzene|E-1,2-dichloroethene|Z-1,2-dichloroethene|dichloromethane|diethyl ether
diethyl sulfide|diethylamine|diiodomethane|diisopropyl ether|cis-1,2-dimethylcyclohexane
dimethyl disulfide|N,N-dimethylacetamide|N,N-dimethylformamide|dimethyl sulfoxide|diphenyl ether
dipropylamine|n-dodecane|ethanethiol|ethanol|ethyl acetate|ethyl formate|ethyl phenyl ether
ethylbenzene|fluorobenzene|formamide|formic acid|n-heptane|n-hexadecane|n-hexane|hexanoic acid
iodobenzene|iodoethane|iodomethane|isopropylbenzene|p-isopropyltoluene|mesitylene|methanol
methyl benzoate|methyl butanoate|methyl acetate|methyl formate|methyl propanoate|N-methylaniline
methylcyclohexane|N-methylformamide|nitrobenzene|nitroethane|nitromethane|o-nitrotoluene|n-nonane
n-octane|n-pentadecane|pentanal|n-pentane|pentanoic acid|pentyl acetate|pentylamine
perfluorobenzene|propanal|propanoic acid|propanonitrile|propyl acetate|propylamine|pyridine
tetrachloroethene|tetrahydrofuran|sulfolane|tetralin|thiophene|thiophenol|toluene|trans-decalin
tributyl phosphate|trichloroethene|triethylamine|n-undecane|water|xylene|m-xylene|o-xylene|p-xylene
"""
"""Usual names of the solvents in PySCF's table (a test compares them), so that it is not loaded."""


def solvent_key(name: str) -> str:
    """Return what equal names of solvents share."""
    return re.sub(r"[\s\-_()/]", "", name.lower())


def _solvents() -> frozenset[str]:
    from workflows.dft.solvents import PRETTY, SYNONYMS

    names = [*re.split(r"[|\n]", SOLVENT_NAMES), *PRETTY.values(), *SYNONYMS]
    return frozenset(solvent_key(name) for name in names if name)


SOLVENTS = _solvents()

NAMED_ELEMENTS = {
    "carbon": "C",
    "nitrogen": "N",
    "oxygen": "O",
    "fluorine": "F",
    "chlorine": "Cl",
    "silicon": "Si",
    "bromine": "Br",
    "iodine": "I",
    "sulfur": "S",
    "sulphur": "S",
    "phosphorus": "P",
    "boron": "B",
    "lithium": "Li",
    "sodium": "Na",
    "potassium": "K",
    "magnesium": "Mg",
    "calcium": "Ca",
    "beryllium": "Be",
    "aluminium": "Al",
    "aluminum": "Al",
    "iron": "Fe",
    "copper": "Cu",
    "zinc": "Zn",
    "silver": "Ag",
    "gold": "Au",
    "nickel": "Ni",
    "cobalt": "Co",
    "helium": "He",
    "neon": "Ne",
    "argon": "Ar",
    "krypton": "Kr",
    "xenon": "Xe",
    "hydrogen": "H",
    "mercury": "Hg",
    "titanium": "Ti",
    "chromium": "Cr",
    "manganese": "Mn",
    "platinum": "Pt",
    "palladium": "Pd",
}
CLASSES = (
    "acid|alcohol|ether|ketone|aldehyde|chloride|bromide|iodide|fluoride|oxide|cyanide|isocyanate|"
    "sulfide|sulphide|disulfide|sulfoxide|sulfone|anhydride|peroxide|amine|nitrate|nitrite|nitrile|"
    "hydroxide|hydride|azide|\\w+(?:ate|ite)|\\w+ium|imide|amide|hydroperoxide|"
    "mercaptan|thiol|hydrazine"
)
_ENDINGS = """
ane ene yne ol one anal enal amine imine amide nitrile acid oate ether thiol phenol benzene
toluene pyridine furan ole ine azine idine oxide sulfide fluoride chloride bromide iodide hydride
cyanide carbonyl sulfonate phosphate phosphine silane borane carboxylate quinone lactone lactam
ose urea aldehyde ium ylium aniline xylene cresol uracil nitrate sulfate ate arene dehyde
"""
ENDINGS = tuple(_ENDINGS.split())
"""Of systematic names."""
_ENGLISH = """
control protocol someone anyone everyone alone phone done gone one bone tone zone none machine
medicine online combine define imagine fine line mine nine wine engine routine outline deadline
separate accurate approximate ultimate appropriate private state template update candidate create
late date generate calculate estimate relate indicate delicate rate climate duplicate immediate
medium premium stadium whole sole role hole pole console tool cool school rule purpose those whose
close dose nose rose propose choose loose suppose expose plane lane sane crane hurricane scene
gene obscene hygiene examine determine doctrine genuine discipline magazine vaccine submarine
translate eliminate demonstrate illustrate integrate concentrate celebrate chocolate certificate
execute ignore delete override telephone milestone cyclone clone drone throne atone
"""
ENGLISH = frozenset(_ENGLISH.split())
"""Words with such an ending that name no molecule."""
