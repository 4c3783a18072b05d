"""Molecules as a person gives them: a file, a notation or a name becomes typed atoms, and back."""

from .embed import embed
from .files import read_content, read_file
from .recognise import Kind, recognise
from .writing import Written, write

__all__ = ["Kind", "Written", "embed", "read_content", "read_file", "recognise", "write"]
