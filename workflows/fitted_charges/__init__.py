"""Charges fitted to the electrostatic potential: Merz and Kollman's, and RESP."""

from workflows.registry.properties import Effort, Property

PROPERTIES = (
    Property(
        "esp_charges",
        {"LevelOfTheory": "workflows.fitted_charges.calculations:fit"},
        "ontologies.fitted_charges:FittedCharges",
        "Charges fitted to the electrostatic potential: ESP (Merz–Kollman) and RESP.",
        noun="fit of charges to the electrostatic potential",
        step="FitCharges",
        does="Fit charges of the atoms to the electrostatic potential around them.",
        cost=3.0,
        effort=Effort(cycles=20),
        words="(atomic |partial )*(ESP|RESP|MK|Merz[- ]Kollman|electrostatic potential)[- ]"
        "(fitted |derived )*(atomic |partial )*charges?( on| of| at| for)( each| every| all)( of)"
        "( the)( atoms?), (atomic |partial )*charges (fitted|fit) to the( electrostatic) potential",
        otherwise=("esp", "resp", "resp_charges", "mk", "merz_kollman", "fitted_charges"),
        shows="ESP, RESP",
    ),
)
"""What can be computed besides a task, see `workflows.registry.properties`."""
