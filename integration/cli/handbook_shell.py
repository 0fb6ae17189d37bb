"""Stands between the handbook's command lines and bin/storm: waits for what a reader would wait for, shortens or leaves out what takes
long, and ends what runs until Ctrl-C. Everything else is run as it is written.

usage: handbook_shell.py storm REAL_STORM ARGUMENT ...
       handbook_shell.py curl PORT,... ARGUMENT ...
"""

import os
import re
import signal
import socket
import subprocess
import sys
import time

from support import LONG

PATIENCE_S = 240
# A command is a JVM, which takes a core for a second or two.
AGAIN_S = 8
# Interval of a measurement that the reader lets run for longer.
INTERVAL_S = "3"
# Executors that wait as Storm's do take all cores, and so time from all tests that run meanwhile, unless they sleep early and long.
CALM = ["-c", "topology.bolt.wait.progressive.level2.count=10", "-c", "topology.bolt.wait.progressive.level3.sleep.millis=20"]
SHORTER = {"bench": ["--rounds", "1", "--seconds", "1", "--warmup", "2"], "demo": ["--seconds", "4", "--rate", "200", *CALM]}
# What a reader tries again: until a worker or a daemon is there, until a topology is measured.
NOT_YET = {"latency": r"it is starting|has no workers yet|did not answer|reports its latencies|Nothing was recorded",
           "profile": r"nothing ran in a thread",
           "back-pressure": r"has no workers yet|reports its queues|is left out",
           "list": r"no leading Nimbus", "jar": r"no leading Nimbus",
           "scale": r"has not been measured yet|has no workers|about to be applied|not alive|are placed|no other machine has a free slot"}
# The row of messages that have gone all the way through the handbook's topology: in a few seconds of a busy machine there may be none.
ARRIVED = re.compile(r"^end-to-end +price -> turnover ", re.MULTILINE)


def storm(real, arguments):
    """Runs one command; returns its exit code."""
    name = next((argument for argument in arguments if not argument.startswith("-")), "")
    line = [real, *arguments]
    if name == "latency" and "--interval" in line:
        line[line.index("--interval") + 1] = INTERVAL_S
    if name == "bench" and "--ab" in line and not LONG:
        return only_listed(real, line)
    if name in SHORTER and "--list" not in line:
        line += SHORTER[name]
    if "--watch" in line:
        return until_interrupted(line)
    deadline = time.monotonic() + PATIENCE_S
    while name in NOT_YET:
        result = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False)
        if time.monotonic() > deadline or not is_too_early(name, line, result):
            print(result.stdout, end="")
            return result.returncode
        time.sleep(AGAIN_S)
    os.execv(line[0], line)


def only_listed(real, line):
    """In the place of a comparison of two configurations, for which two more clusters would start, looks for its scenario."""
    scenario = line[line.index("bench") + 1]
    listed = subprocess.run([real, "bench", "--list"], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
    is_there = any(word.startswith(scenario) for word in listed.split())
    print(f"left out: {' '.join(line)}" if is_there else f"storm bench --list does not name {scenario}.")
    return 0 if is_there else 1


def is_too_early(name, line, result):
    """Whether a reader would run the command again."""
    if name == "latency" and result.returncode == 0 and "--component" not in line and not ARRIVED.search(result.stdout):
        return True
    return re.search(NOT_YET[name], result.stdout) is not None


def until_interrupted(line):
    """Runs a command until it has shown a table, then interrupts it as Ctrl-C does."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        # A process in the background of a shell is started with SIGINT ignored, and so is what it starts.
        with subprocess.Popen(line, stdout=subprocess.PIPE, encoding="utf-8",
                              preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as process:
            for text in process.stdout:
                print(text, end="")
                if not text.strip():
                    process.send_signal(signal.SIGINT)
                    process.stdout.read()
            if process.wait() in (128 + signal.SIGINT, -signal.SIGINT):
                return 0
        time.sleep(AGAIN_S)
    return 1


def curl(ports, arguments):
    """Asks the first worker that listens in the place of the page's worker-1:16700."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        for port in (int(port) + 10_000 for port in ports.split(",")):
            with socket.socket() as worker:
                if worker.connect_ex(("localhost", port)) == 0:
                    return subprocess.run(["curl", *(argument.replace("worker-1:16700", f"localhost:{port}") for argument in arguments)],
                                          check=False).returncode
        time.sleep(AGAIN_S)
    return 1


if __name__ == "__main__":
    sys.exit({"storm": storm, "curl": curl}[sys.argv[1]](sys.argv[2], sys.argv[3:]))
