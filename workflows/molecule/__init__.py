"""Molecules as a person gives them: a file, a SMILES or a name becomes typed atoms."""

from .embed import embed
from .files import read_file
from .recognise import Kind, recognise

__all__ = ["Kind", "embed", "read_file", "recognise"]
