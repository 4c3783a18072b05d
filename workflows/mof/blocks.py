"""What is shown of frameworks."""

from . import search_blocks

__all__ = ["search_blocks"]
