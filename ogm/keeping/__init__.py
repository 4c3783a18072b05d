"""Archiving: backup, export and import of bundles, checks of a store."""

from .backup import Restored, Saved, backup, restore
from .bundle import Exported, Imported, export_bundle, import_bundle
from .check import Finding, Report, check_store

__all__ = [
    "Exported",
    "Finding",
    "Imported",
    "Report",
    "Restored",
    "Saved",
    "backup",
    "check_store",
    "export_bundle",
    "import_bundle",
    "restore",
]
