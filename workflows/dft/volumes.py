"""The former place of `write_cube`, for one release."""

from workflows.dft.properties.volumes import write_cube as write_cube
