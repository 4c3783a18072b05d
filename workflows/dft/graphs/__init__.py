"""The execution graphs: one molecule, its spin states, its fragments."""
