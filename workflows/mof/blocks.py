"""What is shown of frameworks."""

from . import explore_blocks, search_blocks

__all__ = ["explore_blocks", "search_blocks"]
