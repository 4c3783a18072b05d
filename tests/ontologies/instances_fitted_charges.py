"""Objects of the classes of `ontologies.fitted_charges`."""

from ontologies.fitted_charges import FittedCharges
from tests.ontologies.instances import ELECTRONIC, named

FITTED = named(
    FittedCharges,
    **ELECTRONIC,
    esp_charges=[-0.8, 0.4, 0.4],
    resp_charges=[-0.7, 0.35, 0.35],
    esp_leeway=[0.06, 0.03, 0.03],
    esp_points=1500,
    esp_potential=0.025,
    esp_residual=0.002,
    resp_residual=0.003,
    esp_dipole=[0.0, 0.0, 2.1],
    resp_dipole=[0.0, 0.0, 1.9],
)

EVERYTHING = (FITTED,)
