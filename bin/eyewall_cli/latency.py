"""Sub-commands that show where the time of tuples goes: latency, latency-plot, back-pressure."""

from .administration import TOPOLOGY, java_arguments
from .declaration import DEBUG, Command, Option, Positional, positive
from .jvm import Program, replace_process

GROUP = "Latency"


def _latency(session, given):
    replace_process(session, Program("io.eyewall.tail.command.LatencyCommand", java_arguments(LATENCY, given),
                                     extra=[session.installation.client_conf_dir]))


def _back_pressure(session, given):
    replace_process(session, Program("io.eyewall.core.pressure.BackPressureCommand", java_arguments(BACK_PRESSURE, given),
                                     extra=[session.installation.client_conf_dir]))


def _plot(session, given):
    replace_process(session, Program("io.eyewall.core.report.LatencyPlotCommand", java_arguments(PLOT, given)))


LATENCY = Command("latency", GROUP, "Show how long tuples of a running topology take at every hop", _latency, (
    Option(("--component",), "only the hops from and to this component", metavar="COMPONENT", passed_as="--component"),
    Option(("--interval",), "show what is recorded in the next SECONDS, instead of since the workers started", "value", positive,
           "SECONDS", passed_as="--interval"),
    Option(("--watch",), "show it again and again until interrupted, every 5 s or --interval", "flag", passed_as="--watch"),
), (TOPOLOGY,), "Show how long tuples of a running topology take at every hop: percentiles, and what part of the end-to-end median\n"
                "each hop is. The workers record a sample of all messages; the key topology.latency.recording sets which.")

PLOT = Command("latency-plot", GROUP, "Draw latencies from interval logs (.hlog): percentile curves and timelines", _plot, (
    Option(("-o", "--output"), "the picture to write: a name that ends with .svg or .png", metavar="FILE", passed_as="-o"),
    Option(("--tag",), "only the intervals with this tag, or a tag that begins with it and a slash; several are separated by commas",
           metavar="TAG", passed_as="--tag"),
    Option(("--title",), "heading of the picture", metavar="TEXT", passed_as="--title"),
), (Positional("file", "interval logs, as measuring topologies and workers write them", "+"),), global_options=(DEBUG,))

BACK_PRESSURE = Command("back-pressure", GROUP, "Show which component of a running topology holds others back, and since when",
                        _back_pressure, (), (TOPOLOGY,),
                        "Show which components of a running topology hold others back, and since when: those whose queues are full\n"
                        "although nobody behind them is. The workers report their queues at the endpoint of storm latency.")

COMMANDS = (LATENCY, BACK_PRESSURE, PLOT)
