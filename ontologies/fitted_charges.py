"""Charges of atoms that stand for the electrostatic potential around a molecule."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import model_validator

from ogm import Unit

from .quantum import ElectronicResult, length, with_derived
from .units import AtomicCharges, Debye, Dipole

HartreePerCharge: TypeAlias = Annotated[float, Unit("E_h-PER-E", own=True)]


class FittedCharges(ElectronicResult):
    """Charges of atoms whose potential is nearest to that of nuclei and electrons around them.

    Attributes:
        esp_charges: those of least squares on the shells of Merz and Kollman, shape (atoms,).
        resp_charges: the same restrained in the two stages of RESP, shape (atoms,).
        esp_leeway: by how much each of `esp_charges` may change, the others following, until the
            root mean square of what is left is a tenth larger; shape (atoms,).
        esp_points: at how many places the potential was computed.
        esp_potential: its root mean square there.
        esp_residual: the root mean square of what `esp_charges` leave of it.
        resp_residual: of what `resp_charges` leave of it.
        esp_dipole: of `esp_charges`, relative to the centre of mass, shape (3,).
        resp_dipole: of `resp_charges`, likewise.
        esp_dipole_moment: the length of the dipole; this and the next are derived, so that they can
            be queried.
        resp_dipole_moment: likewise.
    """

    esp_charges: AtomicCharges
    resp_charges: AtomicCharges
    esp_leeway: AtomicCharges
    esp_points: int
    esp_potential: HartreePerCharge
    esp_residual: HartreePerCharge
    resp_residual: HartreePerCharge
    esp_dipole: Dipole
    resp_dipole: Dipole
    esp_dipole_moment: Debye | None = None
    resp_dipole_moment: Debye | None = None

    @model_validator(mode="before")
    @classmethod
    def _derive_lengths(cls, data: Any) -> Any:
        values = with_derived(data, "esp_dipole", esp_dipole_moment=length)
        return with_derived(values, "resp_dipole", resp_dipole_moment=length)
