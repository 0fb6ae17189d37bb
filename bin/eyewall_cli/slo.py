"""The sub-command for service level objectives: slo."""

from .administration import TOPOLOGIES, java_arguments
from .declaration import Command, Option, Positional
from .errors import UsageError
from .jvm import Program, replace_process


def _slo(session, given):
    words = given.arguments
    if words[:1] == ["set"]:
        if len(words) < 3:
            raise UsageError("slo: set needs a topology and what to set, such as: slo set orders latency.ms=50")
        wrong = [word for word in words[2:] if "=" not in word[1:]]
        if wrong:
            raise UsageError(f"slo: '{wrong[0]}' is not of the form KEY=VALUE.")
    elif words[:1] == ["list"] and len(words) > 1:
        raise UsageError(f"slo: list shows all topologies, so {words[1]} cannot be given with it.")
    if given.plot is not None and words[:1] != ["history"]:
        raise UsageError("slo: --plot draws the history, so give it with: slo history")
    arguments = [argument for argument in java_arguments(SLO, given) if argument is not None]
    replace_process(session, Program("io.eyewall.scheduler.command.SloCommand", arguments,
                                     extra=[session.installation.client_conf_dir]))


SLO = Command("slo", TOPOLOGIES, "Show and change the service level objectives of running topologies", _slo, (
    Option(("--plot",), "with history: draw the utilities and the steps into this .svg or .png file, of at most five topologies", "value", str, "FILE",
           passed_as="--plot"),
), (Positional("arguments", "list (the default), or the names of topologies; or set TOPOLOGY KEY=VALUE ..., where KEY is a key "
               "without topology.slo. in front; or history, with the names of topologies or without", "*"),),
              "Show how topologies do against their service level objectives, change the objective of a running topology without a\n"
              "restart, or show what was done for them.\n"
              "The cluster's storm.scheduler must be io.eyewall.scheduler.henge.HengeScheduler.")

COMMANDS = (SLO,)
