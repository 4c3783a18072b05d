"""Hartree–Fock and density functional calculations with PySCF."""
