"""Errors that the user sees as one line."""


class CommandError(Exception):
    """Something is wrong: the message says what, where, and what to do about it."""

    exit_code = 1


class UsageError(CommandError):
    """The command line is wrong."""

    exit_code = 2
