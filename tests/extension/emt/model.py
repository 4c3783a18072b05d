"""What is stored: the level. Its results are those of every level."""

from ogm import Vocabulary
from ontologies.level import Level


class EffectiveMedium(Level, vocab=Vocabulary("https://example.org/emt#")):
    """Effective medium theory of metals with the parameters of ASE."""

    program: str = "ase"
