"""What is shown of charges that were fitted to the potential."""

from __future__ import annotations

from collections.abc import Iterator

from ontologies.factors import HARTREE
from ontologies.fitted_charges import FittedCharges
from workflows.show.blocks import Block, Column, Fact, Table
from workflows.show.object_blocks import Around, floats, shows
from workflows.text.words import numbered


@shows(FittedCharges)
def _(found: FittedCharges, around: Around) -> Iterator[Block]:
    del around
    yield Table(
        "Charges fitted to the electrostatic potential",
        (
            Column("atom", name="atom"),
            Column("ESP", "e", "esp_charges", "+.4f"),
            Column("leeway of ESP", "e", "esp_leeway", ".4f"),
            Column("RESP", "e", "resp_charges", "+.4f"),
        ),
        tuple(
            zip(
                numbered(found.atoms.symbols),
                floats(found.esp_charges),
                floats(found.esp_leeway),
                floats(found.resp_charges),
                strict=True,
            )
        ),
        "fitted_charges",
        fields=("esp_charges", "esp_leeway", "resp_charges"),
        note="ESP: least squares on the shells of Merz and Kollman; RESP: restrained in two stages",
    )
    for label, name, charges in (
        ("sum of ESP charges", "esp_sum", found.esp_charges),
        ("sum of RESP charges", "resp_sum", found.resp_charges),
    ):
        total = float(charges.sum()) + 0.0
        yield Fact(label, round(total, 6) + 0.0, "e", name, digits="+.4f", fields=(), minor=True)
    for label, name, dipole in (
        ("dipole of ESP charges", "esp_dipole_moment", found.esp_dipole_moment),
        ("dipole of RESP charges", "resp_dipole_moment", found.resp_dipole_moment),
    ):
        if dipole is not None:
            yield Fact(label, dipole, "D", name, digits=".4f")
    for label, name, vector in (
        ("dipole of ESP charges x, y, z", "esp_dipole", found.esp_dipole),
        ("dipole of RESP charges x, y, z", "resp_dipole", found.resp_dipole),
    ):
        yield Fact(label, tuple(floats(vector)), "D", name, digits=".4f", minor=True)
    for label, name, left in (
        ("potential left by ESP charges", "esp_residual", found.esp_residual),
        ("potential left by RESP charges", "resp_residual", found.resp_residual),
    ):
        also = (Fact("", left * HARTREE["kJ/mol"], "kJ/mol/e", name, digits=".2f"),)
        share = left / found.esp_potential if found.esp_potential else 0.0
        note = f"root mean square at {found.esp_points} points, {share:.1%} of the potential there"
        yield Fact(label, left, "Eh/e", name, digits=".6f", also=also, note=note)
    yield Fact("points", found.esp_points, name="esp_points", minor=True)
    yield Fact(
        "potential there", found.esp_potential, "Eh/e", "esp_potential", digits=".6f", minor=True
    )
