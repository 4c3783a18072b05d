"""Run by PySCF in the place of its files of settings, see `pyscf_settings`: it sets nothing."""
