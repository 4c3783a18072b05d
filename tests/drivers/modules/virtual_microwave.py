"""Driver of a virtual microwave synthesizer with a lid and a place for one vial."""

import logging

log = logging.getLogger(__name__)

session = False
lid = "closed"
vial = None
temperature = None
duration = None
pressure = None
heating = False


class DeviceError(Exception):
    """The synthesizer refuses a command."""


def _need_session():
    if not session:
        raise DeviceError("no session is live")


def allocate_session() -> bool:
    """Begin a session. Must be called before all else."""
    global session
    if session:
        raise DeviceError("a session is live already")
    session = True
    return session


def open_lid() -> str:
    """Open the lid."""
    global lid
    _need_session()
    if heating:
        raise DeviceError("the vial is being heated")
    assert lid == "closed", "the lid is open already"
    lid = "open"
    return "lid is open"


def close_lid() -> str:
    """Close the lid."""
    global lid
    _need_session()
    assert lid == "open", "the lid is closed already"
    lid = "closed"
    return "lid is closed"


def load_vial(vial_num: int) -> str:
    """Put a vial in.

    Args:
        vial_num: number of the vial, an integer between 1 and 10.
    """
    global vial
    _need_session()
    if lid != "open":
        raise DeviceError("the lid is closed")
    if vial is not None:
        raise DeviceError(f"vial {vial} is inside")
    log.info("vial %s", vial_num)
    vial = vial_num
    return "loaded"


def unload_vial() -> str:
    """Take the vial out."""
    global vial
    _need_session()
    if lid != "open":
        raise DeviceError("the lid is closed")
    if vial is None:
        raise DeviceError("there is no vial")
    vial = None
    return "unloaded"


def update_heating_parameters(duration_min: int, temperature_c: int, pressure_atm: float) -> str:
    """Set what a vial is heated with.

    parameters
    duration_min is an integer between 1 and 120 minutes
    temperature_c is an integer between 25 and 100 celsius
    pressure_atm is a float between 1 and 10 atm
    """
    global temperature, duration, pressure
    _need_session()
    duration, temperature, pressure = duration_min, temperature_c, pressure_atm
    return "set"


def heat() -> str:
    """Heat the vial with what is set."""
    global heating
    _need_session()
    if lid != "closed":
        raise DeviceError("the lid is open")
    if vial is None:
        raise DeviceError("there is no vial")
    if None in (temperature, duration, pressure):
        raise DeviceError("temperature, duration or pressure is not set")
    if heating:
        raise DeviceError("it is heating already")
    heating = True
    return "heating"
