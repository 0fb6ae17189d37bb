"""The sub-command that grows and shrinks a running topology: scale."""

from argparse import ArgumentTypeError

from .administration import TOPOLOGIES, java_arguments
from .declaration import Command, Option, Positional, positive
from .errors import UsageError
from .jvm import Program, replace_process

STRATEGIES = ("etp", "ds2", "spout-distance", "output-distance", "descendants", "centrality", "least-link-load", "most-link-load")


def _strategy(text):
    if text not in STRATEGIES:
        raise ArgumentTypeError(f"'{text}' is not a strategy: there are {', '.join(STRATEGIES)}")
    return text


def _scale(session, given):
    planning = [name for name, value in (("--out", given.out), ("--in", getattr(given, "in")), ("--strategy", given.strategy),
                                         ("--dry-run", given.dry_run), ("--wait", given.wait)) if value]
    if given.log and planning:
        raise UsageError(f"scale: --log shows what was done, so {planning[0]} cannot be given with it.")
    if not given.log and given.topology_name is None:
        raise UsageError("scale: which topology? Name one before --out or --in.")
    if not given.log and (given.out is None) == (getattr(given, "in") is None):
        raise UsageError("scale: either --out or --in is needed, with a number of machines, and not both.")
    arguments = [argument for argument in java_arguments(SCALE, given) if argument is not None]
    replace_process(session, Program("io.eyewall.scheduler.command.ScaleCommand", arguments,
                                     extra=[session.installation.client_conf_dir]))


SCALE = Command("scale", TOPOLOGIES, "Grow a running topology to more machines, or shrink it to fewer", _scale, (
    Option(("--out",), "grow by this many machines", "value", positive, "NUMBER", passed_as="--out"),
    Option(("--in",), "shrink by this many machines", "value", positive, "NUMBER", passed_as="--in"),
    Option(("--strategy",), "the strategy: etp (the default), ds2, spout-distance, output-distance, descendants, centrality, "
           "least-link-load or most-link-load", "value", _strategy, "STRATEGY", passed_as="--strategy"),
    Option(("--dry-run",), "show the plan and change nothing", "flag", passed_as="--dry-run"),
    Option(("--wait",), "also wait until the new throughput has been measured", "flag", passed_as="--wait"),
    Option(("--log",), "show what was done so far", "flag", passed_as="--log"),
), (Positional("topology-name", "name of a running topology", "?"),),
                "Grow a running topology to more machines, or shrink it to fewer. Executors that are not moved stay where they are.\n"
                "The cluster's storm.scheduler must be io.eyewall.scheduler.scaling.ElasticityScheduler.")

COMMANDS = (SCALE,)
