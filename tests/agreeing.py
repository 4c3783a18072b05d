"""A person who agrees to everything, as a program that embeds Grafico says who answers."""

from __future__ import annotations

from contextlib import AbstractContextManager

from workflows.trust.caller import Caller, ConsentQuestion, asked_by


async def agree(_: ConsentQuestion) -> bool:
    return True


def agreeing() -> AbstractContextManager[None]:
    """Work for a person who agrees to what is asked."""
    return asked_by(Caller(is_person=True, ask=agree, door="a test"))


def main() -> None:
    """The command line of such a person."""
    from grafico.cli.app import main as command_line

    with agreeing():
        command_line()


if __name__ == "__main__":
    main()
