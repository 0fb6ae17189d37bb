"""Finds an engine for containers, or sets podman up for the time of the tests.

A podman that this module starts has storage, networks and settings of its own, below DIRECTORY: the host's own containers and images
are neither seen nor touched. The images stay there, for the next run; what podman changes of the host's network is undone at the end.
"""

import contextlib
import json
import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

DIRECTORY = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "eyewall" / "containers"
PACKAGES = ("podman", "runc", "netavark", "aardvark-dns", "iptables", "catatonit", "debootstrap")
# Images that the tests ask for, and what makes them where no registry is within reach: Debian package, port, command.
IMAGES = {
    "docker.io/library/redis:7": ("redis-server", 6379, ["redis-server", "--protected-mode", "no"]),
    "docker.io/library/zookeeper:3.9": ("zookeeper", 2181, ["/usr/share/zookeeper/bin/zkServer.sh", "start-foreground"]),
}
FORWARDING = Path("/proc/sys/net/ipv4/ip_forward")
CHAINS = "NETAVARK"
# Above this, some kernels refuse to a root without CAP_SYS_RESOURCE what its own limits allow.
MAX_FILES_AND_PROCESSES = 10_000
ANSWER_S = 20
PULL_S = 60
BUILD_S = 600


class Unusable(Exception):
    """No containers can be run here; the message says why."""


def run(*line, timeout=BUILD_S, environment=None):
    """Runs a command; its output is the reason when it fails."""
    try:
        process = subprocess.run(line, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                                 errors="replace", timeout=timeout, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unusable(f"{line[0]}: {error}") from error
    if process.returncode != 0:
        raise Unusable(f"{' '.join(line[:3])}: {(process.stdout.strip().splitlines() or ['failed'])[-1]}")
    return process.stdout


def succeeds(*line, **options):
    """Whether a command ends well."""
    try:
        run(*line, **options)
        return True
    except Unusable:
        return False


def docker_answers():
    """Whether the tests find an engine without any help."""
    return "DOCKER_HOST" in os.environ or succeeds("docker", "version", timeout=ANSWER_S)


def install():
    """Installs what podman needs here, if it is root on Debian that asks."""
    missing = [package for package in PACKAGES if not _is_installed(package)]
    if not missing:
        return
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        if shutil.which("podman") is not None:
            return
        raise Unusable("neither Docker nor podman is here, and only root on Debian or Ubuntu can set podman up")
    print("Installing " + " ".join(missing), flush=True)
    environment = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
    try:
        run("apt-get", "-qq", "update", environment=environment)
        run("apt-get", "-qq", "install", "-y", "--no-install-recommends", *missing, environment=environment)
    except Unusable:
        # What is missing may be what only some tests need, such as catatonit for pods.
        if "podman" in missing:
            raise


def _is_installed(package):
    return shutil.which("dpkg-query") is not None and succeeds("dpkg-query", "-s", package)


class HostNetwork:
    """What podman changes of the host's network and leaves behind: that it forwards packets, and chains of iptables."""

    def __init__(self):
        self._forwarding = FORWARDING.read_bytes()
        self._chains = _chains()

    def restore(self):
        """Makes it as it was when this object was made."""
        left = sorted(_chains() - self._chains)
        for table, chain in left:
            for rule in _rules(table):
                if rule[0] == "-A" and chain in (rule[1], rule[-1]):
                    succeeds("iptables", "--wait", "--table", table, "-D", *rule[1:])
        for table, chain in left:
            succeeds("iptables", "--wait", "--table", table, "-X", chain)
        if FORWARDING.read_bytes() != self._forwarding:
            FORWARDING.write_bytes(self._forwarding)


def _chains():
    return {(table, rule[1]) for table in ("filter", "nat") for rule in _rules(table) if rule[0] == "-N" and rule[1].startswith(CHAINS)}


def _rules(table):
    """The rules of a table; none where there is no iptables, or another user may not see them."""
    try:
        return [shlex.split(line) for line in run("iptables", "--wait", "--table", table, "-S", timeout=ANSWER_S).splitlines()]
    except Unusable:
        return []


class Podman:
    """A podman with a storage of its own."""

    def __init__(self, directory=DIRECTORY):
        self.directory = Path(directory)
        self.socket = self.directory / "run" / "podman.sock"
        # With these, every podman of the user's is this one.
        self.settings = {"CONTAINERS_CONF": str(self.directory / "containers.conf"),
                         "CONTAINERS_STORAGE_CONF": str(self.directory / "storage.conf")}
        self.environment = {**os.environ, **self.settings}
        self._network = None
        self._service = None

    def configure(self):
        """Writes the settings: limits that this user may set, and runc, since crun refuses hosts with both versions of cgroups."""
        for name in ("storage", "run", "networks"):
            (self.directory / name).mkdir(parents=True, exist_ok=True)
        limits = [_limit("nofile", resource.RLIMIT_NOFILE), _limit("nproc", resource.RLIMIT_NPROC)]
        runtime = 'runtime = "runc"\n' if shutil.which("runc") else ""
        (self.directory / "containers.conf").write_text(
            f"[containers]\ndefault_ulimits = [{', '.join(limits)}]\n[engine]\n{runtime}tmp_dir = \"{self.directory}/run/libpod\"\n"
            f"[network]\nnetwork_backend = \"netavark\"\nnetwork_config_dir = \"{self.directory}/networks\"\n", "utf-8")
        (self.directory / "storage.conf").write_text(
            f"[storage]\ndriver = \"{_driver(self.directory)}\"\ngraphroot = \"{self.directory}/storage\"\n"
            f"runroot = \"{self.directory}/run\"\n", "utf-8")
        self._network = HostNetwork()

    def __call__(self, *arguments):
        return run("podman", *arguments, environment=self.environment)

    def succeeds(self, *arguments, timeout=BUILD_S):
        """Whether a command of podman ends well."""
        return succeeds("podman", *arguments, environment=self.environment, timeout=timeout)

    def provide(self, image, package, port, command):
        """Makes an image from a package of Debian's, unless it is there or a registry has it."""
        if self.succeeds("image", "exists", image) or self.succeeds("pull", "-q", image, timeout=PULL_S):
            return
        print(f"Making {image} from Debian's packages", flush=True)
        self._import(image, package, (f"CMD {json.dumps(command)}", f"EXPOSE {port}"))

    def _import(self, image, package, configuration):
        with tempfile.TemporaryDirectory(prefix="eyewall-image-") as directory:
            archive = Path(directory, "root.tar")
            debian_archive(archive, package)
            changes = [word for line in configuration for word in ("--change", line)]
            self("import", "--quiet", *changes, str(archive), image)

    def serve(self):
        """Answers Docker's API at the socket until the end."""
        self.socket.unlink(missing_ok=True)
        # Lives until `end`; its log is for whoever looks into a failure.
        with open(self.directory / "service.log", "wb") as log:
            self._service = subprocess.Popen(  # pylint: disable=consider-using-with
                ["podman", "system", "service", "--time", "0", f"unix://{self.socket}"], env=self.environment, stdout=log, stderr=log)
        deadline = time.monotonic() + ANSWER_S
        while not self.socket.exists():
            if self._service.poll() is not None or time.monotonic() > deadline:
                self.end()
                raise Unusable(f"podman system service does not answer; see {log.name}")
            time.sleep(0.1)

    def end(self):
        """Ends the service and every container of this storage, and undoes what else podman did to the host."""
        if self._network is None:
            # Without its settings podman would mean the host's own containers.
            return
        if self._service is not None:
            self._service.terminate()
            self._service.wait(ANSWER_S)
            self._service = None
        self.succeeds("pod", "rm", "--all", "--force")
        self.succeeds("rm", "--all", "--force", "--time", "0", "--volumes")
        self.succeeds("volume", "prune", "--force")
        self.succeeds("network", "prune", "--force")
        self._network.restore()
        if os.path.ismount(self.directory / "storage" / "overlay"):
            succeeds("umount", str(self.directory / "storage" / "overlay"))


def debian_archive(archive, *packages):
    """Packs a root file system that is made of Debian's packages."""
    if os.geteuid() != 0 or shutil.which("debootstrap") is None:
        raise Unusable(f"no registry has an image with {packages[0]}, and only root with debootstrap can make one")
    site, suite = _debian()
    root = archive.parent / "root"
    run("debootstrap", "--variant=minbase", "--include=" + ",".join(packages), suite, str(root), site)
    for unused in ("var/cache/apt", "var/lib/apt/lists", "usr/share/doc", "usr/share/man", "usr/share/locale", "var/log"):
        shutil.rmtree(root / unused, ignore_errors=True)
        (root / unused).mkdir()
    run("tar", "--create", "--file", str(archive), "--directory", str(root), ".")


def _limit(name, kind):
    most = resource.getrlimit(kind)[1]
    number = MAX_FILES_AND_PROCESSES if most == resource.RLIM_INFINITY else min(most, MAX_FILES_AND_PROCESSES)
    return f'"{name}={number}:{number}"'


def _driver(directory):
    """overlay, except where the directory itself lies on an overlay, as in a container."""
    kind = run("stat", "--file-system", "--format", "%T", str(directory)).strip()
    return "vfs" if kind.startswith("overlay") else "overlay"


def _debian():
    """The mirror and the suite that this host's own packages come from."""
    for line in run("apt-get", "indextargets", "--format", "$(SITE) $(RELEASE) $(LABEL)").splitlines():
        site, _, rest = line.partition(" ")
        suite, _, label = rest.partition(" ")
        if label in ("Debian", "Ubuntu") and re.fullmatch("[a-z]+", suite):
            return site, suite
    raise Unusable("apt-get names no mirror of Debian's to make images from")


def _start(podman):
    """Sets podman up and has it answer; prints the reason where it cannot."""
    try:
        install()
        podman.configure()
        # Where podman itself fails, no image has to be made to see it.
        podman("info")
        for image, (package, port, command) in IMAGES.items():
            podman.provide(image, package, port, command)
            podman("run", "--rm", "--publish", f"127.0.0.1::{port}", image, "true")
        podman.serve()
    except Unusable as reason:
        print(f"No containers: {reason}", file=sys.stderr, flush=True)


@contextlib.contextmanager
def docker_api():
    """The environment in which Testcontainers and bin/image find an engine.

    Where no engine answers, podman is set up in the background: the tests with containers come minutes after the others. If that fails,
    none answers, and they are skipped.
    """
    if docker_answers():
        yield {}
        return
    podman = Podman()
    work = threading.Thread(target=_start, args=(podman,))
    work.start()
    try:
        yield {"DOCKER_HOST": f"unix://{podman.socket}", "TESTCONTAINERS_RYUK_DISABLED": "true", **podman.settings}
    finally:
        work.join()
        podman.end()
