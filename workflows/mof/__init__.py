"""Metal-organic frameworks: built of nodes and linkers on nets, taken apart, measured, searched."""
