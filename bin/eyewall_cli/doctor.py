"""Checks a host before daemons run on it, or when they do not run well."""

import ctypes
import os
import re
import resource
import shutil
import socket
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .declaration import Command
from .errors import CommandError
from .jvm import cluster_status, config_values, log_dir

OLDEST_JAVA = 17
JAVA_REMEDY = "Install a JDK 17 or newer, or set JAVA_HOME."
FEWEST_FILES = 16_384
MIN_DISK_MIB = 1024
MIN_SHARED_MIB = 64
# A spout and a bolt.
FEWEST_EXECUTORS = 2
CONNECT_S = 3
STATUS_S = 60
# What adjtimex returns when nothing keeps the clock in step with others.
UNSYNCHRONISED = 5
# The heap in the options of a worker.
HEAP = re.compile(r"-Xmx(\d+)([kKmMgGtT]?)(?!\S)")
BYTES = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
# The state of a socket that listens, in /proc/net/tcp.
LISTENS = "0A"
EXECUTOR_MEMORY = "topology.component.resources.onheap.memory.mb"
PORTS = ("nimbus.thrift.port", "supervisor.thrift.port", "supervisor.slots.ports", "ui.port", "drpc.port", "drpc.invocations.port")
KEYS = ("storm.local.dir", "storm.log.dir", "storm.zookeeper.servers", "storm.zookeeper.port", "nimbus.seeds", "storm.local.hostname",
        "worker.childopts", EXECUTOR_MEMORY, *PORTS)


@dataclass(frozen=True)
class Finding:
    """What a check found. `remedy` is empty if all is well."""

    text: str
    remedy: str = ""
    # If true, daemons do not run until this is fixed; if false, they may run badly.
    fatal: bool = False

    def __str__(self):
        mark = "ok  " if not self.remedy else "FAIL" if self.fatal else "warn"
        return f"{mark}  {self.text}" + (f". {self.remedy}" if self.remedy else "")


def _java(java):
    printed = subprocess.run([java, "-version"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False).stdout
    version = re.search(r'version "([^"]+)"', printed)
    if version is None:
        return Finding(f"Java: {java} does not print a version", JAVA_REMEDY, fatal=True)
    major = int(version[1].split(".")[1 if version[1].startswith("1.") else 0].split("-")[0])
    return Finding(f"Java {version[1]} ({java})", "" if major >= OLDEST_JAVA else JAVA_REMEDY, fatal=True)


def _directory(key, path):
    """A directory that daemons write to; they make it, and what is above it, when it is missing."""
    existing = next(above for above in (path, *path.parents) if above.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        return Finding(f"{key}: {path} cannot be written to by this user", f"Change the owner of {existing}, or set {key}.", fatal=True)
    free = shutil.disk_usage(existing).free // 2**20
    return Finding(f"{key}: {path}, {free} MiB free", "" if free >= MIN_DISK_MIB else
                   f"Free some space, {MIN_DISK_MIB} MiB at least, or set {key} to another disk.", fatal=free == 0)


def _files():
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return Finding(f"open files: at most {soft}", "" if soft == resource.RLIM_INFINITY or soft >= FEWEST_FILES else
                   f"Raise the limit to {FEWEST_FILES}: LimitNOFILE= of the systemd unit, or ulimit -n.")


def _clock():
    try:
        # Room for struct timex; modes 0 only reads.
        state = ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.create_string_buffer(512))
    except (OSError, AttributeError):
        state = -1
    if state == -1:
        return Finding("clock: the kernel does not say whether it is synchronised",
                       "Check that chrony or another NTP client keeps it in step with the other hosts.")
    if state == UNSYNCHRONISED:
        return Finding("clock: not synchronised",
                       "Install chrony or another NTP client: credentials and latencies depend on the clocks of all hosts.")
    return Finding("clock: synchronised")


def _shared_memory(directory="/dev/shm"):
    if not os.path.isdir(directory):
        return Finding(f"shared memory: no {directory}", f"Mount a tmpfs at {directory}.")
    free = shutil.disk_usage(directory).free // 2**20
    return Finding(f"shared memory: {free} MiB free in {directory}", "" if free >= MIN_SHARED_MIB else
                   f"Make it larger: mount -o remount,size={MIN_SHARED_MIB}M {directory}, or --shm-size of the container.")


def _memory(slots, options, executor_mib):
    """The heap of a worker is what its options say, or the sum of what its executors need."""
    memory_mib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20
    fixed = HEAP.findall(options)
    if fixed:
        number, unit = fixed[-1]
        heap_mib = int(number) * BYTES[unit.lower()] // 2**20
        return Finding(f"memory: {memory_mib} MiB; slots: {slots}; heap of a worker: {heap_mib} MiB",
                       "" if slots * heap_mib < memory_mib else "Set fewer supervisor.slots.ports, or a smaller -Xmx in worker.childopts.")
    return Finding(f"memory: {memory_mib} MiB; slots: {slots}; heap of an executor: {executor_mib} MiB",
                   "" if slots * FEWEST_EXECUTORS * executor_mib < memory_mib else
                   f"Set fewer supervisor.slots.ports, or a smaller {EXECUTOR_MEMORY}.")


def _host_name(name, seeds):
    name = name or socket.gethostname()
    try:
        address = socket.getaddrinfo(name, None, socket.AF_INET)[0][4][0]
    except OSError:
        return Finding(f"host name: {name} has no address", "Add it to the DNS or to /etc/hosts, or set storm.local.hostname.", fatal=True)
    alone = all(seed in ("localhost", "127.0.0.1") for seed in seeds)
    return Finding(f"host name: {name}, {address}", "" if alone or not address.startswith("127.") else
                   "Other hosts cannot reach this address: correct /etc/hosts, or set storm.local.hostname.", fatal=True)


def _port(key, port):
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind(("", port))
            return Finding(f"{key}: {port} is free")
        except PermissionError:
            return Finding(f"{key}: {port} is refused to this user", f"Set {key} to a port above 1023.", fatal=True)
        except OSError:
            owner = _listener(port)
            return Finding(f"{key}: {port} is in use by {owner or 'another process'}", "" if owner else
                           f"End that process, or set another {key}.")


def _listener(port):
    """The daemon or worker of Storm's that listens on the port; None if it is something else, or another user's."""
    listening = [line.split() for table in ("/proc/net/tcp", "/proc/net/tcp6") for line in _lines(table)]
    sockets = {f"socket:[{entry[9]}]" for entry in listening if entry[3] == LISTENS and int(entry[1].rpartition(":")[2], 16) == port}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if any(os.readlink(handle) in sockets for handle in (process / "fd").iterdir()):
                arguments = (process / "cmdline").read_text("utf-8", "replace").split("\0")
                name = next((argument for argument in arguments if argument.startswith(("-Ddaemon.name=", "-Dworker.port="))), None)
                return name and f"{name.partition('=')[2] if name.startswith('-Dd') else 'a worker'} (process {process.name})"
        except OSError:
            continue  # It has ended, or belongs to another user.
    return None


def _lines(table):
    """The lines below the head; none where there is no such table."""
    try:
        return Path(table).read_text("ascii").splitlines()[1:]
    except OSError:
        return []


def _reaches(what, host, port, remedy, fatal):
    try:
        with socket.create_connection((host, port), CONNECT_S):
            return Finding(f"{what} {host}:{port} answers")
    except OSError as error:
        return Finding(f"{what} {host}:{port} cannot be reached: {error.strerror or error}", remedy, fatal)


def _versions(session):
    """Which daemons run another version than this installation, as Nimbus knows them."""
    try:
        status = cluster_status(session, STATUS_S)
    except subprocess.TimeoutExpired:
        return [Finding("versions of the daemons: Nimbus does not answer", "Look into Nimbus's log.")]
    if status is None:
        return [Finding("versions of the daemons: Nimbus refuses to name them", "Ask as a user who may list topologies.")]
    return [_version(daemon, status["versions"][daemon["kind"]]) for daemon in status["daemons"]]


def _version(daemon, own):
    return Finding(f"{daemon['kind']} {daemon['host']}: version {daemon['version']}", "" if daemon["version"] == own else
                   f"This host has {own}: upgrade one of the two.")


def _number(values, key):
    """Whole numbers may be written as decimals."""
    return int(float(values[key] or 0))


def _findings(session):
    """One after the other, so that each can be printed when it is there."""
    yield _java(session.installation.java)
    try:
        values = config_values(session, KEYS, checked=True)
    except CommandError as error:
        yield Finding("configuration: not readable", str(error), fatal=True)
        return
    yield Finding("configuration: every value is allowed")
    local = Path(values["storm.local.dir"] or "storm-local")
    yield _directory("storm.local.dir", local if local.is_absolute() else Path(session.installation.home, local))
    yield _directory("storm.log.dir", Path(log_dir(session, values)))
    yield _files()
    yield _clock()
    yield _shared_memory()
    seeds = (values["nimbus.seeds"] or "").split()
    yield _host_name(values["storm.local.hostname"], seeds)
    slots = (values["supervisor.slots.ports"] or "").split()
    yield _memory(len(slots), values["worker.childopts"] or "", _number(values, EXECUTOR_MEMORY))
    for key in PORTS:
        for port in (values[key] or "").split():
            yield _port(key, int(port))
    for server in (values["storm.zookeeper.servers"] or "").split():
        yield _reaches("ZooKeeper", server, _number(values, "storm.zookeeper.port"), "Start it, or correct storm.zookeeper.servers.", True)
    reached = [_reaches("Nimbus", seed, _number(values, "nimbus.thrift.port"), "Start it, or correct nimbus.seeds.", False) for seed in seeds]
    yield from reached
    if any(not finding.remedy for finding in reached):
        yield from _versions(session)


def _examine(session, _given):
    warnings = failures = checks = 0
    for finding in _findings(session):
        print(finding, flush=True)
        checks += 1
        failures += bool(finding.remedy and finding.fatal)
        warnings += bool(finding.remedy and not finding.fatal)
    print(f"{checks} checks: {checks - warnings - failures} ok, {warnings} to look at, {failures} to fix")
    return 1 if failures else 0


COMMANDS = (
    Command("doctor", "Installation", "Check this host for what keeps daemons from running well", _examine,
            description="Check Java, storm.yaml, directories, limits, the clock, shared memory, the host name, memory and ports of this host,\n"
                        "whether ZooKeeper and Nimbus can be reached, and the versions of all daemons. Say what to do about each finding.\n"
                        "The exit code is 1 if something keeps daemons from running."),
)
