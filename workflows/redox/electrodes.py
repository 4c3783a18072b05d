"""Reference electrodes, and the one choice behind them: potential and proton go together."""

from __future__ import annotations

import math
from collections.abc import Mapping

from ontologies.factors import GAS_CONSTANT, HARTREE
from ontologies.redox import ElectrodeName
from triplestore.errors import InputError
from workflows.text.names import plain

EV = HARTREE["eV"]

ABSOLUTE, PROTON = 4.28, -6.28 + 1.89 - 265.9
"""Of the standard hydrogen electrode, V, and of a proton in water at 1 mol/L that goes with it,
kcal/mol: one choice, with an electron at rest in vacuum at zero.

½ H2 becomes H⁺ and e⁻: a proton that is 1 kcal/mol higher makes it 0.0434 V.

Sources: M. D. Tissandier et al., J. Phys. Chem. A 102, 7787 (1998); C. P. Kelly, C. J. Cramer, D.
G. Truhlar, J. Phys. Chem. B 110, 16066 (2006). The 4.44 V that IUPAC recommends (S. Trasatti, Pure
Appl. Chem. 58, 955 (1986), doi:10.1351/pac198658070955) hold the potential of water's surface, too.
"""

CALOMEL = 0.241
"""V, saturated KCl at 25 °C: D. T. Sawyer, A. Sobkowiak, J. L. Roberts, Electrochemistry for
Chemists, 2nd ed. (1995)."""

FERROCENE: Mapping[str, float] = {"water": 0.400, "acetonitrile": 0.624}
"""V, by solvent: H. M. Koepp, H. Wendt, H. Strehlow, Z. Elektrochem. 64, 483 (1960), for water; V.
V. Pavlishchuk, A. W. Addison, Inorg. Chim. Acta 298, 97 (2000), for acetonitrile."""


def electrode_potential(electrode: ElectrodeName, solvent: str) -> float:
    """Return the potential of an electrode against the standard hydrogen electrode, in V.

    Args:
        electrode: its name.
        solvent: in which it stands.

    Raises:
        InputError: it is not known in that solvent.
    """
    match electrode:
        case "SHE":
            return 0.0
        case "SCE":
            return CALOMEL
        case "Fc+/Fc":
            name = plain(solvent).replace("mecn", "acetonitrile")
            if name in FERROCENE:
                return FERROCENE[name]
            raise InputError(
                f"a potential against Fc+/Fc in {solvent or 'no solvent'} was asked for",
                f"that of ferrocene is known here in {' and '.join(FERROCENE)}",
                "say it against the hydrogen electrode: electrode_potential, in V",
            )


def proton_in_water(absolute: float) -> float:
    """Return the Gibbs energy of a proton that goes with an absolute potential in V, in Eh."""
    return PROTON / HARTREE["kcal/mol"] + (absolute - ABSOLUTE) / EV


def of_ph(ph: float, temperature: float) -> float:
    """Return what a proton has more at a pH than at 1 mol/L, at a temperature in K, in Eh."""
    return -ph * GAS_CONSTANT * temperature * math.log(10) / 1000 / HARTREE["kJ/mol"]
