"""Finds the sub-command, runs it, turns errors into one line."""

import sys
import traceback

from . import administration, daemons, development, doctor, drain, information, latency, profile, scaling, slo, state, submission
from .command_line import HelpRequest, overview, parse
from .errors import CommandError
from .session import Session

COMMANDS = (submission.COMMANDS + administration.COMMANDS + scaling.COMMANDS + slo.COMMANDS + drain.COMMANDS
            + state.COMMANDS + latency.COMMANDS + profile.COMMANDS + information.COMMANDS + doctor.COMMANDS + daemons.COMMANDS
            + development.COMMANDS)


def main(arguments, root):
    """Runs bin/storm of the installation or checkout at root; returns the exit code."""
    if not arguments:
        print(overview(COMMANDS, ["storm"]), end="", file=sys.stderr)
        return 1
    debug = False
    try:
        command, given = parse(arguments, COMMANDS)
        debug = given.debug
        session = Session(root, getattr(given, "config", None), getattr(given, "c", ()), debug)
        return command.run(session, given)
    except HelpRequest as request:
        print(request, end="")
        return 0
    except CommandError as error:
        if debug:
            traceback.print_exc()
        print(f"storm: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        return 130
    except Exception as error:  # pylint: disable=broad-except
        if debug:
            raise
        print(f"storm: {type(error).__name__}: {error}. Run it again with --debug for the stack trace.", file=sys.stderr)
        return 1
