#!/usr/bin/env python3
"""Measures what containers cost: the same daemons and topologies as processes and in containers of the image, in turns.

Writes a CSV file for each part into benchmarks/containers, or where --out says:

  image    the sizes of the image and of its base
  start    from the command that starts a daemon until its port answers; root drops the page cache before each
  submit   from `storm jar` until the first tuple comes to the end of the topology, on a cluster of two Supervisors
  load     `bin/storm bench`, beside containers and, with the whole cluster, in a container that uses the host's network

It wants a machine that does nothing else, and what `mvn package -DskipTests` has built.
"""

import argparse
import csv
import datetime
import os
import platform
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "bin"), str(ROOT / "integration" / "containers")]

import engine  # noqa: E402  (found only through the path above)
from eyewall_cli.session import Session  # noqa: E402

PARTS = ("image", "start", "submit", "load")
DAEMONS = {"zookeeper": "storm.zookeeper.port", "nimbus": "nimbus.thrift.port", "supervisor": "supervisor.thrift.port", "ui": "ui.port",
           "drpc": "drpc.port"}
# What the image calls by another name than bin/storm.
COMMANDS = {"zookeeper": "dev-zookeeper"}
LOADS = (("chain/ack/2w", ("--rate", "0")), ("chain/ack/2w", ("--rate", "20000")))
CIRCUMSTANCES = ("stolen_percent", "date", "machine", "version")
POLL_S = 0.005
DEADLINE_S = 240
STOP_S = 60


def daemon_ports(first):
    """The ports of a cluster on this host, above `first`, as keys of its configuration."""
    ports = {key: first + number for number, key in enumerate((*DAEMONS.values(), "drpc.invocations.port", "drpc.http.port"))}
    return {**ports, "storm.zookeeper.servers": '["localhost"]', "nimbus.seeds": '["localhost"]', "storm.local.hostname": "localhost"}


def await_true(what, condition):
    """Polls until the condition holds."""
    deadline = time.monotonic() + DEADLINE_S
    while not condition():
        if time.monotonic() > deadline:
            raise SystemExit(f"measure.py: waited {DEADLINE_S} s in vain: {what}")
        time.sleep(POLL_S)


def answers(port):
    """Whether something listens."""
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


class Processes:
    """Daemons as processes of the installation."""

    name = "processes"

    def __init__(self, directory, home):
        self.directory = directory / self.name
        self.directory.mkdir(mode=0o777)
        self._home = home
        self._running = {}

    def start(self, name, daemon, keys):
        """Starts a daemon, whose state is in a directory of that name."""
        local = self.directory / name
        keys = {**keys, "storm.local.dir": local, "storm.log.dir": local / "logs", "dev.zookeeper.path": local / "zookeeper"}
        self._run(name, [self._home / "bin" / "storm", COMMANDS.get(daemon, daemon)], self.write(name, keys))

    def client(self, name, *arguments):
        """The command of a client that reads the configuration of the daemon of that name."""
        return [self._home / "bin" / "storm", *arguments], {"STORM_CONF_FILE": str(self.directory / f"{name}.yaml")}

    def end(self, name):
        """Ends a daemon."""
        process = self._running.pop(name)
        process.terminate()
        process.wait(STOP_S)

    def end_all(self):
        """Ends what still runs."""
        for name in reversed(list(self._running)):
            self.end(name)

    def write(self, name, keys):
        """Writes a configuration; returns its path."""
        file = self.directory / f"{name}.yaml"
        file.write_text("".join(f"{key}: {value}\n" for key, value in keys.items()), "utf-8")
        return file

    def _run(self, name, line, configuration=None):
        environment = {**os.environ, **({"STORM_CONF_FILE": str(configuration)} if configuration else {})}
        with open(self.directory / f"{name}.log", "ab") as log:
            # Lives until `end`.
            self._running[name] = subprocess.Popen([str(word) for word in line],  # pylint: disable=consider-using-with
                                                   env=environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL)


class Containers(Processes):
    """Daemons in containers that use the host's network, with a root file system that is read-only."""

    name = "containers"

    def __init__(self, directory, home, image, shared):
        super().__init__(directory, home)
        self._image = image
        self._shared = shared

    def start(self, name, daemon, keys):
        self._run(name, ["podman", "run", "--rm", "--name", f"measured-{name}", "--network", "host", "--read-only",
                         "--volume", f"{self.write(name, keys)}:/etc/storm/storm.yaml:ro",
                         *(word for path in self._shared for word in ("--volume", f"{path}:{path}")), self._image, daemon])

    def client(self, name, *arguments):
        return ["podman", "exec", f"measured-{name}", "storm", *arguments], {}

    def end(self, name):
        engine.run("podman", "stop", "--time", str(STOP_S), f"measured-{name}")
        super().end(name)


class Table:
    """The lines of one file, with what is the same in all."""

    def __init__(self, figures, rounds, version):
        self._columns = ["scenario", "rate_per_s", "side", "round", "rounds", "seconds", *figures, *CIRCUMSTANCES]
        self._same = {"rounds": rounds, "date": datetime.date.today().isoformat(), "machine": machine(), "version": version}
        self.lines = []

    def add(self, **values):
        """Adds a line."""
        self.lines.append({**self._same, **values})

    def write(self, file):
        """Writes them, ordered by scenario, side and round; the first side, with which tables compare the others, is that of processes."""
        scenarios, sides = ([line[key] for line in self.lines] for key in ("scenario", "side"))
        self.lines.sort(key=lambda line: (scenarios.index(line["scenario"]), int(line.get("rate_per_s") or 0),
                                          line["side"] != Processes.name, sides.index(line["side"])))
        with open(file, "w", encoding="utf-8", newline="") as written:
            writer = csv.DictWriter(written, self._columns, extrasaction="ignore", lineterminator="\n")
            writer.writeheader()
            writer.writerows(self.lines)
        print(file)


def machine():
    """The machine, as its files describe it."""
    model = re.search("model name\\s*: (.*)", Path("/proc/cpuinfo").read_text("utf-8"))
    memory_gib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} cores ({model[1] if model else platform.machine()}), {memory_gib:.0f} GiB, Linux {platform.release().partition('-')[0]}"


def stolen_s():
    """What the hypervisor has given to others, in seconds of one core."""
    return int(Path("/proc/stat").read_text("utf-8").split("\n", 1)[0].split()[8]) / os.sysconf("SC_CLK_TCK") / os.cpu_count()


def timed(act, condition):
    """The time from the act until the condition holds, in ns, and the stolen share of it in per cent."""
    stolen, begin = stolen_s(), time.monotonic_ns()
    act()
    await_true("the moment that is measured", condition)
    taken = time.monotonic_ns() - begin
    return taken, f"{100 * (stolen_s() - stolen) * 1e9 / taken:.2f}"


def drop_caches():
    """Empties the page cache, so that a start reads from the disk."""
    subprocess.run(["sync"], check=True)
    if os.geteuid() == 0:
        Path("/proc/sys/vm/drop_caches").write_text("3\n", "ascii")


def in_turns(rounds, sides):
    """Each round with each side, which of them comes first changing by the round."""
    for number in range(1, rounds + 1):
        for side in sides if number % 2 else reversed(sides):
            yield number, side


def measure_image(table, image):
    """The sizes."""
    base = "localhost/eyewall-base:2"
    for name, side in ((base, "base: Debian with Java, Python, procps and tini"), (image, "the image")):
        if engine.succeeds("podman", "image", "exists", name):
            size = int(engine.run("podman", "image", "inspect", "--format", "{{.Size}}", name))
            table.add(scenario="containers/image", side=side, round=1, rounds=1, size_mb=round(size / 1e6))


def measure_start(table, rounds, sides):
    """How long each daemon takes to start."""
    keys = daemon_ports(17_100)
    helper = {**daemon_ports(17_200)}
    sides[0].start("helper", "zookeeper", helper)
    await_true("ZooKeeper answers", lambda: answers(helper["storm.zookeeper.port"]))
    try:
        for daemon, key in DAEMONS.items():
            own = keys if daemon == "zookeeper" else {**keys, "storm.zookeeper.port": helper["storm.zookeeper.port"]}
            for number, side in in_turns(rounds, sides):
                name = f"{daemon}-{number}"
                drop_caches()
                own["storm.zookeeper.root"] = f"/{side.name}-{name}"
                taken, stolen = timed(lambda s=side, n=name, d=daemon, o=own: s.start(n, d, o), lambda p=own[key]: answers(p))
                side.end(name)
                table.add(scenario=f"containers/start/{daemon}", side=side.name, round=number, start_ns=taken, stolen_percent=stolen)
    finally:
        sides[0].end_all()


def start_cluster(side, first):
    """ZooKeeper, Nimbus and two Supervisors with two slots each."""
    # Nimbus would otherwise look only each 10 s whether there is something to do.
    keys = {**daemon_ports(first), "nimbus.monitor.freq.secs": 1, "supervisor.worker.shutdown.sleep.secs": 1}
    for name in ("zookeeper", "nimbus"):
        side.start(name, name, keys)
        await_true(f"{name} answers", lambda n=name: answers(keys[DAEMONS[n]]))
    for number in (1, 2):
        port = first + 20 * number
        side.start(f"supervisor-{number}", "supervisor", {**keys, "supervisor.thrift.port": port,
                                                          "supervisor.slots.ports": f"[{port + 1}, {port + 2}]"})
        await_true("the Supervisor answers", lambda p=port: answers(p))


def measure_submit(table, rounds, sides, output):
    """How long it takes from the command of the user to the first tuple."""
    jar = dropin_jar()
    for number, side in enumerate(sides):
        start_cluster(side, 17_300 + 100 * number)

    def call(side, *arguments):
        line, environment = side.client("nimbus", *arguments)
        return subprocess.run([str(word) for word in line], env={**os.environ, **environment}, stdout=subprocess.PIPE, encoding="utf-8",
                              check=True).stdout

    # Until Nimbus leads and knows the Supervisors.
    time.sleep(20)
    for number, side in in_turns(rounds + 1, sides):
        written = output / f"{side.name}-{number}"
        written.mkdir()
        written.chmod(0o777)
        client = threading.Thread(target=call, args=(side, "jar", jar, "io.eyewall.integration.dropin.Submit", "rolling", "-c",
                                                     f"dropin.output={written}"))
        taken, stolen = timed(client.start, lambda w=written: any(file.stat().st_size for file in w.glob("rolling/sink-*.txt")))
        client.join()
        call(side, "kill", "rolling", "-w", "0")
        await_true("the topology is gone", lambda s=side: "rolling" not in call(s, "list"))
        time.sleep(5)
        # The first round is that of the clusters' own start.
        if number > 1:
            table.add(scenario="containers/submit", side=side.name, round=number - 1, first_tuple_ns=taken, stolen_percent=stolen)
    for side in sides:
        side.end_all()


def commit():
    """What the checkout is at."""
    return engine.run("git", "-C", str(ROOT), "describe", "--always", "--dirty").strip()


def dropin_jar():
    """The topologies of the tests."""
    return next(path for path in (ROOT / "integration" / "dropin" / "target").glob("integration-dropin-*.jar"))


def measure_load(table, rounds, image, directory, seconds):
    """Throughput and latencies; a run measures two topologies, one after the other, which are two rounds."""
    for name in ("one", "two"):
        (directory / f"{name}.yaml").write_text("{}\n", "utf-8")
    inside = ["podman", "run", "--rm", "--network", "host", "--read-only", "--user", "0:0", "--volume", f"{ROOT}:{ROOT}:ro",
              "--volume", f"{directory}:{directory}", "--entrypoint", "tini", image, "--"]
    for number, side in in_turns((rounds + 1) // 2, ("processes", "containers")):
        for scenario, more in LOADS:
            out = directory / f"load-{side}-{number}{''.join(more)}"
            out.mkdir()
            line = [*(inside if side == "containers" else []), str(ROOT / "bin" / "storm"), "bench", scenario,
                    "--ab", str(directory / "one.yaml"), str(directory / "two.yaml"), "--rounds", "1", "--seconds", str(seconds),
                    "--warmup", "20", "--commit", commit(), "--out", str(out), *more]
            with open(directory / "load.log", "ab") as log:
                subprocess.run(line, stdout=log, stderr=log, check=True)
            with open(next(out.rglob("runs.csv")), encoding="utf-8", newline="") as runs:
                for run in csv.DictReader(runs):
                    if run["round"].isdigit():
                        run["round"] = 2 * number - (run["side"] == "one")
                        table.add(**{key: value for key, value in run.items() if key not in ("side", "rounds")}, side=side,
                                  rounds=2 * ((rounds + 1) // 2))


def parts(text):
    """The parts of a list with commas."""
    chosen = text.split(",")
    if not set(chosen) <= set(PARTS):
        raise argparse.ArgumentTypeError(f"{text}: expected some of {','.join(PARTS)}")
    return chosen


def number(text):
    """A whole number above 0."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text}: expected a number from 1")
    return int(text)


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=number, default=6, help="how often each side is measured (6)")
    parser.add_argument("--seconds", type=number, default=10, help="how long each load is measured (10)")
    parser.add_argument("--parts", type=parts, default=PARTS, help="which parts, separated by commas (all)")
    parser.add_argument("--out", type=Path, default=ROOT / "benchmarks" / "containers")
    return parser.parse_args()


def measure(given, directory):
    """Measures the parts that are asked for."""
    home = Session(ROOT).installation.home
    version = f"{home.name.partition('-')[2]}+{commit()}"
    image = engine.run(str(ROOT / "bin" / "image")).strip().splitlines()[-1]
    output = directory / "output"
    output.mkdir()
    sides = (Processes(directory, home), Containers(directory, home, image, (output, dropin_jar())))
    figures = {"image": ["size_mb"], "start": ["start_ns"], "submit": ["first_tuple_ns"],
               "load": ["tuples_per_s", "p50_ns", "p99_ns", "p99.9_ns", "cpu_s_per_million_tuples"]}
    for part in given.parts:
        table = Table(figures[part], given.rounds, version)
        try:
            if part == "image":
                measure_image(table, image)
            elif part == "start":
                measure_start(table, given.rounds, sides)
            elif part == "submit":
                measure_submit(table, given.rounds, sides, output)
            else:
                measure_load(table, given.rounds, image, directory, given.seconds)
        finally:
            for side in sides:
                side.end_all()
        table.write(given.out / f"{part}.csv")


def main():
    """Sets podman up where no engine answers, and measures."""
    given = arguments()
    # So that what it has started ends with it.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("measure.py: terminated"))
    given.out.mkdir(parents=True, exist_ok=True)
    directory = Path(tempfile.mkdtemp(prefix="eyewall-measure-"))
    directory.chmod(0o755)
    with engine.docker_api() as settings:
        for thread in threading.enumerate():
            if thread is not threading.current_thread():
                thread.join()
        os.environ.update(settings)
        measure(given, directory)
    shutil.rmtree(directory, ignore_errors=True)


if __name__ == "__main__":
    try:
        main()
    except engine.Unusable as problem:
        sys.exit(f"measure.py: {problem}")
