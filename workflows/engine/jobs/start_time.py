"""When a job is to start, as people and models say it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from triplestore.errors import InputError


def start_time(when: str | datetime) -> datetime:
    """Return the time that is meant: of a time of day the next one; without a zone the local one.

    Raises:
        InputError: it is no time, or it has passed.
    """
    asked, now = f"the time {str(when)!r} was asked for", datetime.now().astimezone()
    try:
        if isinstance(when, datetime) or "-" in when:
            found = when if isinstance(when, datetime) else datetime.fromisoformat(when)
            found = found if found.tzinfo else found.astimezone()
        else:
            clock = datetime.strptime(when, "%H:%M")
            found = now.replace(hour=clock.hour, minute=clock.minute, second=0, microsecond=0)
            found += timedelta(days=1) if found <= now else timedelta()
    except ValueError as error:
        advice = "write a time of day such as 22:00, or a date such as 2027-01-31T08:00"
        raise InputError(asked, "it cannot be read", advice) from error
    if found <= now:
        raise InputError(asked, "it has passed", "name one to come, or none")
    return found.astimezone(UTC)
