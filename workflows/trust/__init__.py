"""Who asks, what of theirs is read, and what settings may do."""
