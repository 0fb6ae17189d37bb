"""The sub-command that shows where workers spend their time: profile."""

from argparse import ArgumentTypeError

from .administration import TOPOLOGY, java_arguments
from .declaration import Command, Option, Positional
from .jvm import Program, replace_process
from .latency import GROUP

MAX_SECONDS = 3600
EVENTS = ("cpu", "wall", "lock", "alloc")


def _seconds(text):
    if not text.isdecimal() or not 1 <= int(text) <= MAX_SECONDS:
        raise ArgumentTypeError(f"'{text}' is not a whole number from 1 to {MAX_SECONDS}")
    return int(text)


def _event(text):
    if text not in EVENTS:
        raise ArgumentTypeError(f"'{text}' is none of {', '.join(EVENTS)}")
    return text


def _file(text):
    if not text.endswith((".html", ".jfr")):
        raise ArgumentTypeError(f"'{text}' does not end with .html or .jfr")
    return text


def _profile(session, given):
    replace_process(session, Program("io.eyewall.web.profile.ProfileCommand",
                                     [argument for argument in java_arguments(PROFILE, given) if argument is not None],
                                     extra=[session.installation.client_conf_dir]))


PROFILE = Command("profile", GROUP, "Record where workers of a running topology spend their time, as a flame graph", _profile, (
    Option(("--seconds",), f"record for at least so long, up to {MAX_SECONDS}; 30 unless given", "value", _seconds, "SECONDS",
           passed_as="--seconds"),
    Option(("--event",), "what the width of the graph stands for: cpu, time on a processor; wall, time; lock, time waiting for locks; or "
           "alloc, bytes allocated; cpu unless given", "value", _event, "EVENT", passed_as="--event"),
    Option(("-o", "--output"), "the flame graph to write, a name that ends with .html, or the recording of one worker, with .jfr; "
           "profile-TOPOLOGY.html unless given", "value", _file, "FILE", passed_as="-o"),
), (TOPOLOGY, Positional("target", "a component, or a worker as HOST:PORT; all workers unless given", "?")),
                  "Record where workers of a running topology spend their time, and draw a flame graph, thread by thread. With a\n"
                  "component only the threads of its executors are drawn. Prints what most stacks ended in. async-profiler is used\n"
                  "where the installation has it for the worker's machine, and otherwise Java's Flight Recorder, which has no wall.")

COMMANDS = (PROFILE,)
