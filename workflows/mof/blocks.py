"""What is shown of frameworks."""

from . import build_blocks, compare_blocks, explore_blocks, process_blocks, search_blocks

__all__ = ["build_blocks", "compare_blocks", "explore_blocks", "process_blocks", "search_blocks"]
