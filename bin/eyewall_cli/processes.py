"""Processes that bin/storm started: recognised again for certain, ended for certain. Linux only, since it reads /proc."""

import os
import signal
import subprocess
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .errors import CommandError

# In the environment of every process of a dev cluster, and so of every process that those start.
MARKER = "EYEWALL_DEV_CLUSTER"
PROC = Path("/proc")
POLL_S = 0.1


@dataclass(frozen=True)
class ProcessIdentity:
    """A process: its id alone may be another's tomorrow, its id with its start time (in clock ticks since boot) may not."""

    pid: int
    start_time: int

    @classmethod
    def of(cls, pid):
        """The running process with that id; None if there is none, or if it has ended and only waits to be collected."""
        try:
            stat = (PROC / str(pid) / "stat").read_text("utf-8", "replace")
        except OSError:
            return None
        # The second field, the name in brackets, may hold blanks; state and start time are the 3rd and the 22nd field.
        fields = stat[stat.rindex(")") + 2:].split()
        return None if fields[0] in "ZX" else cls(pid, int(fields[19]))

    @property
    def is_alive(self):
        """Whether this very process runs."""
        return ProcessIdentity.of(self.pid) == self

    def send(self, number):
        """Sends a signal, if this very process still runs."""
        if self.is_alive:
            try:
                os.kill(self.pid, number)
            except ProcessLookupError:
                pass

    def write(self, path):
        """Keeps it in a pid file, id first."""
        Path(path).write_text(f"{self.pid} {self.start_time}\n", "ascii")

    @classmethod
    def read(cls, path):
        """The process in a pid file; None if there is no such file or nothing legible in it."""
        try:
            pid, start_time = Path(path).read_text("ascii").split()
            return cls(int(pid), int(start_time))
        except (OSError, ValueError):
            return None


def require_proc():
    """Stops where processes cannot be recognised."""
    if not (PROC / "self" / "stat").is_file():
        raise CommandError("dev clusters need Linux with /proc, to recognise their own processes. Start the daemons one by one: "
                           "storm dev-zookeeper, storm nimbus, storm supervisor.")


def marked(mark):
    """The running processes that carry a mark."""
    entry = f"{MARKER}={mark}".encode()
    found = []
    for directory in PROC.iterdir():
        if not directory.name.isdigit():
            continue
        try:
            environment = (directory / "environ").read_bytes().split(b"\0")
        except OSError:
            # Gone, or another user's.
            continue
        identity = ProcessIdentity.of(int(directory.name)) if entry in environment else None
        if identity is not None and identity.pid != os.getpid():
            found.append(identity)
    return found


def wait_until(condition, timeout_s):
    """Waits for a condition; returns whether it came true in time."""
    deadline = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() >= deadline:
            return False
        time.sleep(POLL_S)
    return True


def end(processes, patience_s):
    """Asks processes to end, and kills those that do not within the time."""
    for process in processes:
        process.send(signal.SIGTERM)
    if not wait_until(lambda: not any(process.is_alive for process in processes), patience_s):
        for process in processes:
            process.send(signal.SIGKILL)
        wait_until(lambda: not any(process.is_alive for process in processes), patience_s)


@contextmanager
def child(line, patience_s=5, **options):
    """A child process in a session of its own, so that Ctrl-C reaches it through us only; it does not outlive the block."""
    process = subprocess.Popen(line, start_new_session=True, **options)
    try:
        yield process
    finally:
        if process.poll() is None:
            _signal_group(process, signal.SIGTERM)
            try:
                process.wait(patience_s)
            except subprocess.TimeoutExpired:
                pass
        _signal_group(process, signal.SIGKILL)
        process.wait()


def _signal_group(process, number):
    try:
        os.killpg(process.pid, number)
    except (ProcessLookupError, PermissionError):
        pass


class Stopped(BaseException):
    """A signal asked this process to stop. Not an Exception: only cleaning up may get in its way."""

    def __init__(self, number):
        super().__init__(number)
        self.exit_code = 128 + number


class StopSignals:
    """While entered, Ctrl-C, SIGTERM and SIGHUP raise Stopped in the main thread; once, so that cleaning up can finish."""

    NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def __init__(self):
        self._before = {}
        self._ignored = False

    def __enter__(self):
        self._before = {number: signal.signal(number, self._stop) for number in self.NUMBERS}
        return self

    def __exit__(self, *_):
        # Once asked to stop, this process has only to end.
        if not self._ignored:
            for number, handler in self._before.items():
                signal.signal(number, handler)

    def _stop(self, number, _frame):
        self.ignore()
        raise Stopped(number)

    def ignore(self):
        """From here on the signals do nothing."""
        self._ignored = True
        for number in self.NUMBERS:
            signal.signal(number, signal.SIG_IGN)
