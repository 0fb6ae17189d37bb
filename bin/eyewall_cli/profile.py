"""The sub-command that shows where workers spend their time: profile."""

from argparse import ArgumentTypeError

from .administration import TOPOLOGY, java_arguments
from .declaration import Command, Option, Positional
from .jvm import Program, replace_process
from .latency import GROUP

MOST_SECONDS = 3600


def _seconds(text):
    if not text.isdecimal() or not 1 <= int(text) <= MOST_SECONDS:
        raise ArgumentTypeError(f"'{text}' is not a whole number from 1 to {MOST_SECONDS}")
    return int(text)


def _file(text):
    if not text.endswith((".html", ".jfr")):
        raise ArgumentTypeError(f"'{text}' does not end with .html or .jfr")
    return text


def _profile(session, given):
    replace_process(session, Program("io.eyewall.web.profile.ProfileCommand",
                                     [argument for argument in java_arguments(PROFILE, given) if argument is not None],
                                     extra=[session.installation.client_conf_dir]))


PROFILE = Command("profile", GROUP, "Record where workers of a running topology spend their time, as a flame graph", _profile, (
    Option(("--seconds",), f"record for at least so long, up to {MOST_SECONDS}; 30 unless given", "value", _seconds, "SECONDS",
           passed_as="--seconds"),
    Option(("-o", "--output"), "the flame graph to write, a name that ends with .html, or the recording of one worker, with .jfr; "
           "profile-TOPOLOGY.html unless given", "value", _file, "FILE", passed_as="-o"),
), (TOPOLOGY, Positional("target", "a component, or a worker as HOST:PORT; all workers unless given", "?")),
                  "Record where workers of a running topology spend their time, and draw a flame graph, thread by thread. With a\n"
                  "component only the threads of its executors are drawn. Prints the methods in which most time was spent. Java's\n"
                  "Flight Recorder is used, or async-profiler where the Supervisor's variable EYEWALL_ASYNC_PROFILER names its library.")

COMMANDS = (PROFILE,)
