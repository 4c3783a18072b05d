"""Names that leave open where groups stand, by what OPSIN and textbooks count as isomers."""

import pytest

from triplestore.errors import InputError
from workflows.molecule.names import smiles_of, unclear
from workflows.molecule.positions import open_names
from workflows.molecule.table import table

OPEN = """dichlorobenzene trichlorobenzene nitrotoluene chlorophenol propanol butanol xylene cresol
naphthol difluoroethane dimethylcyclohexane bromonaphthalene methylpyridine hexanone octanol"""
CERTAIN = """chlorobenzene hexachlorobenzene pentachlorobenzene pentafluorophenol ethylbenzene
tetrachloroethylene hexafluoroethane dichloromethane tetrachloromethane butanone propanone propene
methylcyclohexane toluene chloroethane trifluoroacetic"""


@pytest.mark.parametrize("name", OPEN.split())
def test_a_name_of_several_isomers_is_refused(name: str) -> None:
    assert unclear(name)
    with pytest.raises(InputError, match="several molecules"):
        smiles_of(name)


@pytest.mark.parametrize("name", CERTAIN.split())
def test_a_name_of_one_molecule_is_not(name: str) -> None:
    assert not open_names(name)


def test_isomers_that_are_known_are_named() -> None:
    assert unclear("propanol") == ("1-propanol", "2-propanol")
    assert unclear("xylene") == ("o-xylene", "m-xylene", "p-xylene")
    assert unclear("dichlorobenzene") == ("1,2-dichlorobenzene",)


def test_no_name_of_the_table_is_refused() -> None:
    assert not [name for entry in table() for name in entry.names if unclear(name)]
