"""Driver of a shaker that is not there: what would be sent to it is written to a file."""

port = open("shaker.log", "ab", buffering=0)  # noqa: SIM115
lid = "closed"
plate = None
speed = 0.0


def open_lid():
    """Open the lid."""
    global lid
    if speed > 0:
        raise RuntimeError("it is shaking")
    port.write(b"LID 1\n")
    lid = "open"


def close_lid():
    """Close the lid."""
    global lid
    port.write(b"LID 0\n")
    lid = "closed"


def load(plate_number: int):
    """Put a plate in.

    Args:
        plate_number: the plate, 1 to 4.
    """
    global plate
    if lid != "open":
        raise RuntimeError("the lid is closed")
    if plate is not None:
        raise RuntimeError(f"plate {plate} is inside")
    plate = plate_number


def shake(rate: float):
    """Shake the plate; a rate of 0 ends it.

    Args:
        rate: between 0 and 1200 rpm.
    """
    global speed
    if lid == "open":
        raise RuntimeError("the lid is open")
    if plate is None:
        raise RuntimeError("there is no plate")
    port.write(b"RPM %d\n" % rate)
    speed = rate


def stop():
    """Stand still at once."""
    global speed
    port.write(b"RPM 0\n")
    speed = 0.0
