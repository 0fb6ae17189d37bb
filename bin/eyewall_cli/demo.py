"""storm demo: a topology at work on real text, with Storm's acking and waiting and with Eyewall's, on a cluster that lives as long."""

import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from . import jvm
from .build import build
from .dev_cluster import DevCluster
from .errors import CommandError
from .jvm import Program
from .processes import Stopped, StopSignals, child

EXAMPLES = "io.eyewall.examples.Main"
LIVE_TABLE = "io.eyewall.core.report.LiveTable"
KILL = "org.apache.storm.command.KillTopology"
SLOTS = 4
# With Storm's own, a topology waits 10 s for its slots, and those of the one before are free 3 s after it was killed.
IMPATIENT = ("nimbus.monitor.freq.secs=1", "supervisor.worker.shutdown.sleep.secs=1")
# Two workers, one of which stands for a slow host: there messages cost three times as much.
TOPOLOGY = ("topology.workers=2", "eyewall.parallelism=2", "eyewall.work.ms=1", "eyewall.work.varies=1", "eyewall.work.slow.worker=1",
            "eyewall.work.slow.factor=3")
# Of each operator that works, marked in the examples' list: two in each worker, that can share a queue.
WORKING = re.compile(r"([\w-]+)\*")
WORKING_EXECUTORS = 4


class Run(NamedTuple):
    """One half of the demonstration; name is that of its files."""

    name: str
    title: str
    options: tuple


RUNS = (
    Run("storm", "With Storm's acking and waiting",
        ("topology.acking=acker", "topology.wake.on.arrival=false", "topology.latency.recording=off")),
    Run("eyewall", "With what Eyewall has against the tail", (
        "topology.executor.queue=shared", "topology.latency.balancing=true", "topology.latency.balancing.period.secs=1",
        "topology.adaptive.timeout=true")),
)
# Below the output's directory, after a failure.
LOGS = "logs"
# The live table writes its summary and files after it was asked to stop.
SUMMARY_TIMEOUT_S = 60
CHUNK_BYTES = 1 << 20


def run(session, given):
    """Runs the demonstration; whatever ends it, no process is left behind."""
    if given.input not in (None, "-") and not os.path.isfile(given.input):
        what = "not a plain file" if os.path.exists(given.input) else "no such file"
        raise CommandError(f"--input: {what}: {given.input}. Name a text file, or - for standard input.")
    with StopSignals() as signals:
        try:
            return _Demo(session, given, signals).run()
        except Stopped as stopped:
            return stopped.exit_code


class _Demo:
    """One demonstration."""

    def __init__(self, session, given, signals):
        self.session = session
        self.given = given
        self.signals = signals
        self.out_dir = session.work_dir / "demo"

    def run(self):
        """Prepares, shows, cleans up."""
        self.out_dir.mkdir(parents=True, exist_ok=True)
        with self._alone(), self._scratch() as scratch:
            if self.session.is_checkout:
                build(self.session.root, self.session.given_environment, self._is_built)
            jar = self._examples_jar()
            working = WORKING.findall(self._picture(jar))
            text = self._input(scratch)
            cluster = DevCluster(scratch / "cluster")
            shutil.rmtree(self.out_dir / LOGS, ignore_errors=True)
            print(f"Starting a cluster: ZooKeeper, Nimbus, one Supervisor with {SLOTS} slots.", flush=True)
            try:
                configuration = cluster.start(self.session, SLOTS, [*IMPATIENT, *self.session.overrides], self.given.ui)
                if self.given.ui:
                    print(f"In a browser, as long as the cluster runs: http://localhost:{configuration['ui.port']}/", flush=True)
                self._show(cluster, jar, list(self._options(working, text)), scratch / "measurements")
            except CommandError:
                _keep_logs(cluster, self.out_dir / LOGS)
                raise
            finally:
                self.signals.ignore()
                print("Stopping the cluster.", flush=True)
                cluster.stop()
        return 0

    def _forget_results(self):
        """Those of an earlier demonstration, which this one is about to replace."""
        for pattern in ("*.hlog", "*.svg"):
            for path in self.out_dir.glob(pattern):
                path.unlink()

    def _is_built(self):
        return all((self.session.home / directory).is_dir() for directory in ("lib", "examples"))

    def _examples_jar(self):
        jars = sorted((self.session.installation.home / "examples").glob("*.jar"))
        if not jars:
            raise CommandError(f"no examples: {self.session.home / 'examples'} holds no jar. Build or unpack the distribution again.")
        return jars[0]

    def _picture(self, jar):
        """The topology's, which the examples know; asked before anything is started."""
        extra = [jar, self.session.installation.conf_dir]
        line = jvm.command(self.session, Program(EXAMPLES, ["--list"], extra=extra, client=True, launched=False))
        answer = jvm.output(self.session, line)
        if answer.returncode != 0:
            raise CommandError(f"cannot list the examples: {answer.stderr.strip()}")
        pictures = dict(line.split(maxsplit=1) for line in answer.stdout.splitlines() if line.strip())
        if self.given.topology not in pictures:
            raise CommandError(f"--topology: no example '{self.given.topology}'. There are {', '.join(pictures)}.")
        return pictures[self.given.topology]

    def _options(self, working, text):
        yield from TOPOLOGY
        for operator in working:
            yield f"eyewall.parallelism.{operator}={WORKING_EXECUTORS}"
        yield f"eyewall.rate.per.sec={self.given.rate}"
        if text is not None:
            yield f"eyewall.input={text}"

    def _input(self, scratch):
        """The text's absolute path; standard input is copied to a file first, since a source must be able to start again."""
        if self.given.input is None:
            return None
        if self.given.input != "-":
            if not _has_text(self.given.input):
                raise CommandError(f"--input: {self.given.input} has no line of text. Name another file.")
            return Path(self.given.input).resolve()
        path = scratch / "standard-input.txt"
        if sys.stdin.isatty():
            print("Reading the text from standard input, up to Ctrl-D.", flush=True)
        with open(path, "wb") as copy:
            shutil.copyfileobj(sys.stdin.buffer, copy, CHUNK_BYTES)
        if not _has_text(path):
            raise CommandError("--input -: standard input has no line of text. Send a text: storm demo --input - < FILE.")
        return path

    def _show(self, cluster, jar, options, measurements):
        client = cluster.client_session(self.session)
        earlier = None
        for run in RUNS:
            name = f"{self.given.topology}-{run.name}"
            directory = measurements / run.name
            directory.mkdir(parents=True)
            print(f"\n{run.title}: {', '.join(run.options)}", flush=True)
            self._submit(client, jar, name, [*options, *run.options, f"eyewall.measure.dir={directory}", *self.session.overrides])
            if earlier is None:
                self._forget_results()
            is_whole = self._live_table(client, directory, run.name, earlier)
            self._call(client, Program(KILL, ["-w", "0", name], extra=[client.installation.conf_dir]))
            if not is_whole:
                break
            earlier = run.name

    def _submit(self, client, jar, name, overrides):
        client.overrides = overrides
        options = [f"-Dstorm.jar={jar}"]
        program = Program(EXAMPLES, [self.given.topology, name], jvm_options=options, extra=[jar, client.installation.conf_dir],
                          client=True, daemon_libraries=False)
        self._call(client, program)
        client.overrides = []

    def _call(self, client, program):
        """Runs a client quietly; its failure is ours."""
        line = jvm.command(client, program)
        jvm.announce(client, line)
        with child(line, env=client.installation.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                   encoding="utf-8", errors="replace") as process:
            output, errors = process.communicate()
        if process.returncode != 0:
            raise CommandError(jvm.failure(errors, output.strip() or f"{program.main_class} failed with exit code {process.returncode}"))

    def _live_table(self, client, measurements, name, earlier):
        """Shows the table and returns whether it ran for its time; a signal ends the table, not its summary. The table stops when its
        standard input ends."""
        line = [client.installation.java, "-cp", str(client.installation.home / "lib" / "*"), LIVE_TABLE, "--dir", str(measurements),
                "--seconds", str(self.given.seconds), "--rate", str(self.given.rate), "--out", str(self.out_dir), "--name", name]
        line += ["--followed"] if earlier is None else ["--against", earlier]
        jvm.announce(client, line)
        is_whole = True
        with child(line, env=client.installation.environment, stdin=subprocess.PIPE) as process:
            try:
                exit_code = process.wait()
            except Stopped as stopped:
                process.stdin.close()
                exit_code = process.wait(SUMMARY_TIMEOUT_S)
                if stopped.args[0] != signal.SIGINT or exit_code != 0:
                    raise
                is_whole = False
        if exit_code != 0:
            raise CommandError(f"the live table ended with exit code {exit_code}. The cluster's logs may show why.")
        return is_whole

    @contextmanager
    def _alone(self):
        """Two demonstrations would write the same files."""
        with open(self.out_dir / ".lock", "w", encoding="ascii") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise CommandError(f"another demo is running and writes to {self.out_dir}. Wait until it has ended.") from error
            yield

    @contextmanager
    def _scratch(self):
        directory = Path(tempfile.mkdtemp(prefix="run-", dir=self.out_dir))
        try:
            yield directory
        finally:
            self.signals.ignore()
            shutil.rmtree(directory, ignore_errors=True)


def _has_text(path):
    """Whether a file has a line that is not blank."""
    with open(path, "rb") as text:
        return any(line.strip() for line in text)


def _keep_logs(cluster, destination):
    """After a failure the logs show why."""
    if cluster.log_dir.is_dir():
        shutil.rmtree(destination, ignore_errors=True)
        shutil.copytree(cluster.log_dir, destination, ignore_dangling_symlinks=True)
        print(f"The cluster's logs: {destination}", file=sys.stderr)
