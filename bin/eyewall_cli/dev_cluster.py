"""A cluster of real processes on this host: ZooKeeper, Nimbus, one Supervisor and the workers that it starts, and the web pages."""

import fcntl
import json
import random
import shutil
import socket
import subprocess
import textwrap
import time
import uuid
from contextlib import contextmanager
from pathlib import Path

from . import jvm, processes
from .daemons import DAEMONS, program
from .errors import CommandError
from .processes import ProcessIdentity
from .session import Session

START_TIMEOUT_S = 120
ASK_AGAIN_S = 1
PATIENCE_S = 10
# How much of a log's last line is shown: the first line of a daemon has its whole configuration.
LINE_CHARACTERS = 300
# Each with the key of the port that it listens on when it has started.
MEMBERS = {"dev-zookeeper": "storm.zookeeper.port", "nimbus": "nimbus.thrift.port", "supervisor": "supervisor.thrift.port"}
# Those with pages, which are started when they are asked for.
WEB = {"ui": "ui.port", "logviewer": "logviewer.port"}
# Below the range of outgoing connections, even where workers serve their latencies: on ports 10,000 above.
PORTS = range(12_000, 16_000)
# Workers that wait by asking again and again would leave ZooKeeper and Nimbus on this host without CPU until sessions expire.
NICE = "5"


class DevCluster:
    """A cluster that keeps all it writes below one directory, storm.yaml for its clients included."""

    def __init__(self, directory):
        processes.require_proc()
        self.directory = Path(directory).absolute()
        self.config_file = self.directory / "storm.yaml"
        self.log_dir = self.directory / "logs"
        self._mark_file = self.directory / "cluster-id"
        self._state_dir = self.directory / "state"
        self._pid_dir = self.directory / "pids"

    def start(self, session, slots, overrides, web=False):
        """Starts the cluster, with its web pages or without, and returns when all slots wait for workers. If that fails, nothing of it is left running."""
        self._require_own_directory()
        with self._locked():
            if self.members():
                raise CommandError(f"a dev cluster is running in {self.directory}. Stop it first: "
                                   f"storm dev-cluster stop --dir {self.directory}.")
            self._sweep()
            self._state_dir.mkdir(parents=True)
            self._pid_dir.mkdir()
            shutil.rmtree(self.log_dir, ignore_errors=True)  # Of the cluster before, whose topologies had the same ids.
            self.log_dir.mkdir()
            self._mark_file.write_text(uuid.uuid4().hex + "\n", "ascii")
            configuration = self._configuration(slots, overrides, web)
            lines = [json.dumps(key) + ": " + json.dumps(value) for key, value in configuration.items()]
            self.config_file.write_text("\n".join(lines) + "\n", "utf-8")
            try:
                self._start_members(session, configuration, {**MEMBERS, **WEB} if web else MEMBERS)
            except BaseException:
                self._end_all()
                raise
            return configuration

    def stop(self):
        """Ends all processes of the cluster, workers included, and removes its state. Logs stay. Returns whether any ran."""
        if not self._mark_file.is_file():
            return False
        with self._locked():
            return self._end_all()

    def members(self):
        """The running daemons by name."""
        identities = {name: ProcessIdentity.read(self._pid_file(name)) for name in self.started()}
        return {name: identity for name, identity in identities.items() if identity is not None and identity.is_alive}

    def started(self):
        """The names of the daemons that it has, or had until they ended."""
        return [name for name in {**MEMBERS, **WEB} if name in MEMBERS or self._pid_file(name).is_file()]

    def client_session(self, session):
        """The session of a client of this cluster."""
        environment = session.given_environment
        if self._mark_file.is_file():
            # So that it ends with the cluster.
            environment = {**environment, processes.MARKER: self._mark_file.read_text("ascii").strip()}
        return Session(session.root, str(self.config_file), (), session.debug, environment)

    def ask(self, session):
        """What Nimbus knows of the cluster; None if it does not answer."""
        return jvm.cluster_status(self.client_session(session))

    def listening(self):
        """How many workers listen, as they do when they have started: Nimbus hears of that up to a minute later."""
        lines = (line.split(": ", 1) for line in self.config_file.read_text("utf-8").splitlines())
        configuration = {json.loads(key): json.loads(value) for key, value in lines}
        return sum(_answers(port) for port in configuration["supervisor.slots.ports"])

    def _start_members(self, session, configuration, members):
        client = self.client_session(session)
        daemons = [DAEMONS[name] for name in members]
        values = jvm.config_values(client, [key for daemon in daemons for key in daemon.keys])
        for daemon in daemons:
            line = jvm.command(client, program(client, daemon, values))
            if daemon.name == "supervisor":
                line = ["nice", "-n", NICE, *line]
            jvm.announce(session, line)
            with open(self.log_dir / f"{daemon.name}.out", "wb") as output:
                process = subprocess.Popen(line, env=client.installation.environment, cwd=self._state_dir,
                                           stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
            if daemon.name == "supervisor":
                _step_back(process.pid)
            identity = ProcessIdentity.of(process.pid)
            if identity is not None:
                identity.write(self._pid_file(daemon.name))
            self._await(daemon.name, lambda port=configuration[members[daemon.name]]: _answers(port), process)
            if daemon.name == "supervisor":
                self._await(daemon.name, lambda: self._is_complete(session, len(configuration["supervisor.slots.ports"])), process)

    def _is_complete(self, session, slots):
        status = self.ask(session)
        if status is not None and status["slots"] == slots:
            return True
        time.sleep(ASK_AGAIN_S)
        return False

    def _await(self, name, condition, process):
        def decided():
            return process.poll() is not None or condition()

        in_time = processes.wait_until(decided, START_TIMEOUT_S)
        if process.poll() is not None:
            raise CommandError(f"{name} ended with exit code {process.returncode} while starting: {self._last_line(name)}")
        if not in_time:
            raise CommandError(f"{name} was not ready within {START_TIMEOUT_S} s: {self._last_line(name)}")

    def _last_line(self, name):
        """The last line that a daemon wrote, and where."""
        for path in (self.log_dir / f"{name}.out", self.log_dir / f"{name}.log"):
            lines = path.read_text("utf-8", "replace").split("\n") if path.is_file() else []
            written = [line.strip() for line in lines if line.strip() and not line.startswith(("\t", "   "))]
            if written:
                return f"{textwrap.shorten(written[-1], LINE_CHARACTERS, placeholder=' ...')} (the whole log: {path})"
        return f"it wrote nothing. Its logs are in {self.log_dir}."

    def _configuration(self, slots, overrides, web):
        zookeeper, nimbus, supervisor, ui, logviewer, *slot_ports = free_ports(5 + slots)
        configuration = {
            "storm.zookeeper.servers": ["localhost"],
            "storm.zookeeper.port": zookeeper,
            "dev.zookeeper.path": str(self._state_dir / "zookeeper"),
            "nimbus.seeds": ["localhost"],
            "nimbus.thrift.port": nimbus,
            "supervisor.thrift.port": supervisor,
            "supervisor.slots.ports": slot_ports,
            "storm.local.hostname": "localhost",
            "storm.local.dir": str(self._state_dir / "storm"),
            "storm.log.dir": str(self.log_dir),
            "storm.metricstore.rocksdb.location": str(self._state_dir / "metrics"),
        }
        if web:
            # Only for this host: nobody has to log in.
            configuration |= {"ui.host": "localhost", "ui.port": ui, "logviewer.host": "localhost", "logviewer.port": logviewer}
        for override in overrides:
            key, _, value = override.partition("=")
            configuration[key] = _value(value)
        return configuration

    def _end_all(self):
        """The Supervisor first, since it would start its workers again."""
        ran = False
        supervisor = self.members().get("supervisor")
        if supervisor is not None:
            ran = True
            processes.end([supervisor], PATIENCE_S)
        ran = self._sweep() or ran
        for directory in (self._state_dir, self._pid_dir):
            shutil.rmtree(directory, ignore_errors=True)
        for file in (self.config_file, self._mark_file):
            file.unlink(missing_ok=True)
        return ran

    def _sweep(self):
        """Ends what carries the mark of the cluster that ran here last; returns whether anything did."""
        if not self._mark_file.is_file():
            return False
        mark = self._mark_file.read_text("ascii").strip()
        ran = False
        # A process may start another while it ends: look again until there is none.
        while True:
            found = processes.marked(mark)
            if not found:
                break
            ran = True
            processes.end(found, PATIENCE_S)
        shutil.rmtree(self._state_dir, ignore_errors=True)
        shutil.rmtree(self._pid_dir, ignore_errors=True)
        return ran

    def _require_own_directory(self):
        """Never mixes its files with a user's."""
        own = {path.name for path in (self.config_file, self._mark_file, self._state_dir, self._pid_dir, self.log_dir)} | {".lock"}
        if self.directory.exists() and not self.directory.is_dir():
            raise CommandError(f"{self.directory} is not a directory. Name another with --dir.")
        foreign = sorted(path.name for path in self.directory.glob("*") if path.name not in own)
        if foreign or (self.config_file.exists() and not self._mark_file.exists()):
            what = foreign[0] if foreign else self.config_file.name
            raise CommandError(f"{self.directory} holds files that are not a dev cluster's ({what}). Name an empty directory with --dir.")
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CommandError(f"cannot make {self.directory}: {error.strerror}. Name another directory with --dir.") from error

    @contextmanager
    def _locked(self):
        """Keeps two runs of this command apart."""
        with open(self.directory / ".lock", "w", encoding="ascii") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise CommandError(f"another dev-cluster command works on {self.directory}. Wait until it has ended.") from error
            yield

    def _pid_file(self, name):
        return self._pid_dir / f"{name}.pid"


def free_ports(count):
    """
    Ports that nobody listens on now: workers listen much later. They are close together, so that two clusters that choose at the same
    time hardly ever choose the same.
    """
    ports = []
    first = random.randrange(len(PORTS))
    for port in (*PORTS[first:], *PORTS[:first]):
        with socket.socket() as one:
            try:
                one.bind(("", port))
            except OSError:
                continue
        ports.append(port)
        if len(ports) == count:
            return ports
    raise CommandError(f"no free ports from {PORTS.start} to {PORTS.stop}: stop what listens on them")


def _step_back(pid):
    """With autogroups, Linux applies a nice value only within the process's session: the session needs one, too."""
    try:
        Path(f"/proc/{pid}/autogroup").write_text(NICE, "ascii")
    except OSError:
        # It does not, or the process has ended, which is seen later.
        pass


def _answers(port):
    try:
        with socket.create_connection(("localhost", port), timeout=1):
            return True
    except OSError:
        return False


def _value(text):
    """A value as Storm takes it after -c: JSON, or else a text."""
    try:
        return json.loads(text)
    except ValueError:
        return text
