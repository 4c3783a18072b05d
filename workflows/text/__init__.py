"""Words, names and texts of others, as people read and write them."""
