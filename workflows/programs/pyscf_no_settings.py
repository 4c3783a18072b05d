"""Run by PySCF in the place of its files of settings, see `unread_settings`; no number changes."""

DISABLE_EVAL = True  # else what is no number in a basis set or a geometry is run as Python
scf_hf_SCF_mute_chkfile = True  # a file for each mean field, which nobody reads
