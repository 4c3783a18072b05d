"""Run by PySCF in the place of its files of settings, see `unread_settings`: it sets nothing."""
