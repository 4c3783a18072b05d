"""What the names of methods, basis sets and surroundings mean to PySCF."""
