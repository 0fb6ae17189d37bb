"""The sub-command that empties a Supervisor before it is stopped: drain."""

from .administration import CLUSTER, java_arguments
from .declaration import Command, Option, Positional, positive
from .errors import UsageError
from .jvm import Program, replace_process


def _drain(session, given):
    if given.cancel and given.timeout is not None:
        raise UsageError("drain: --cancel waits for nothing, so --timeout cannot be given with it.")
    replace_process(session, Program("io.eyewall.scheduler.command.DrainCommand",
                                     [argument for argument in java_arguments(DRAIN, given) if argument is not None],
                                     extra=[session.installation.client_conf_dir]))


DRAIN = Command("drain", CLUSTER, "Empty a Supervisor before it is stopped", _drain, (
    Option(("--timeout",), "wait so long until it is empty; 300 unless given", "value", positive, "SECONDS", passed_as="--timeout"),
    Option(("--cancel",), "let it get executors again", "flag", passed_as="--cancel"),
), (Positional("supervisor", "the id of a Supervisor, or its host where it is the only one there"),),
                "Empty a Supervisor before it is stopped: its executors move to other machines without a restart of the\n"
                "topologies, and it gets no new ones until it has been stopped and started. The command waits until the Supervisor is empty.")

COMMANDS = (DRAIN,)
