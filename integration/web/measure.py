#!/usr/bin/env python3
"""Measures what the web interface costs, with what is built and chromium.

usage: measure.py [--rounds N] [--seconds N] [--only watched-topology] [--out DIRECTORY]

A Nimbus that describes 1,000 topologies: the time for their list, and until the cluster's page is usable. A real cluster with ten tabs of a
topology's page: memory and CPU time of the UI, and how much of a worker's CPU time goes into telling what it does. A topology with
back-pressure whose worker was killed: from the cluster's page to the answers to four questions. Writes a line for each round, in
the format of benchmarks/.
"""

import argparse
import csv
import json
import os
import platform
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import date
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

CHECKOUT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(CHECKOUT / "bin"))

from eyewall_cli.session import Session  # noqa: E402  (found only through the path above)

TOPOLOGIES = 1_000
TABS = 10
REQUESTS = 50
PATIENCE_S = 120
# Each question with what is clicked, one after the other, and what the page has when it has answered.
QUESTIONS = {
    "slow-hop": (["topology"], "document.querySelector('.graph .slow text.bad')"),
    "back-pressure": (["topology"], "document.querySelector('.pressure')"),
    "what-changed": (["topology", "details"], "document.querySelector('.charts ~ details[open] li')"),
    "worker-died": (["topology", "details"], "document.querySelector('.charts ~ details[open] li.warn')"),
}
LINKS = {"topology": "[...document.querySelectorAll('main a')].find(link => link.textContent === 'held')",
         "details": "document.querySelector('.charts ~ details summary')"}
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
ALWAYS = ("scenario", "rate_per_s", "side", "round", "rounds", "seconds")
FIGURES = ("list_ns", "longest_list_ns", "usable_ns", "ui_memory_mb", "ui_cpu_percent", "worker_cpu_percent", "telling_percent", "clicks",
           "answer_ns")
CIRCUMSTANCES = ("stolen_percent", "date", "machine", "version")
NS_PER_S = 1_000_000_000


def await_that(what, condition):
    """Waits until it is true, and returns what it is."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    sys.exit(f"measure.py: {what}: not within {PATIENCE_S} s")


def free_port():
    """A port that nobody listens at."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


def listens(port):
    """Whether somebody listens at a port of this host."""
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def get(address):
    """The JSON at an address; None if there is none."""
    try:
        with urlopen(address, timeout=PATIENCE_S) as response:
            return json.load(response)
    except (URLError, ConnectionError):
        return None


class Started:
    """A process that ends with the block."""

    def __init__(self, arguments, log, **options):
        self.log = open(log, "wb")
        self.process = subprocess.Popen([str(argument) for argument in arguments], stdout=self.log, stderr=subprocess.STDOUT, **options)

    def __enter__(self):
        return self.process

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


class Browser:
    """Chromium without a screen, over a pair of pipes."""

    def __init__(self, directory, profile="profile"):
        to_browser, self.commands = os.pipe()
        self.answers, from_browser = os.pipe()

        def connect():
            # It reads from descriptor 3 and writes to 4. Neither of the pipes may lie there while the other is moved.
            read, write = os.dup(to_browser), os.dup(from_browser)
            os.dup2(read, 3)
            os.dup2(write, 4)

        self.log = open(directory / f"chromium-{profile}.out", "wb")
        self.process = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,1000",
             f"--user-data-dir={directory / profile}", "--remote-debugging-pipe", "about:blank"],
            stdout=self.log, stderr=subprocess.STDOUT, close_fds=False, preexec_fn=connect)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.calls = 0
        self.session = None
        self.window()

    def call(self, method, session=None, **parameters):
        """One command of the DevTools protocol."""
        self.calls += 1
        message = {"id": self.calls, "method": method, "params": parameters, **({"sessionId": session} if session else {})}
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.buffer:
                part = os.read(self.answers, 1 << 16)
                if not part:
                    sys.exit(f"measure.py: chromium has ended: see {self.log.name}")
                self.buffer += part
            line, self.buffer = self.buffer.split(b"\0", 1)
            answer = json.loads(line)
            if answer.get("id") == self.calls:
                return answer.get("result", {})

    def window(self):
        """Goes on in a new window, which counts as visible as the others do."""
        target = self.call("Target.createTarget", url="about:blank", newWindow=True)["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def value(self, expression):
        """The value of an expression in the page."""
        return self.call("Runtime.evaluate", self.session, expression=expression, returnByValue=True)["result"].get("value")

    def open(self, address):
        """Opens a page anew, and returns the milliseconds from then on until it shows what there is."""
        self.call("Page.navigate", self.session, url="about:blank")
        self.call("Page.navigate", self.session, url=address)
        shown = "location.href !== 'about:blank' && document.querySelector('main table tbody tr') !== null && performance.now()"
        return await_that(f"{address} shows its figures", lambda: self.value(shown))

    def close(self):
        """Ends it."""
        self.call("Browser.close")
        self.process.wait(30)
        self.log.close()


def cpu_s(stat):
    """The CPU time of a process or thread, by its file in /proc; 0 if it has ended."""
    try:
        fields = Path(stat).read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / TICKS_PER_S


def telling_s(pid):
    """The CPU time of a worker's threads that serve what it records."""
    total = 0
    for thread in Path(f"/proc/{pid}/task").iterdir():
        try:
            name = (thread / "comm").read_text("utf-8").strip()
        except OSError:
            continue
        if name.startswith(("latency-endpoi", "HTTP-Dispatcher")):
            total += cpu_s(thread / "stat")
    return total


def resident_mb(pid):
    """The memory of a process."""
    for line in Path(f"/proc/{pid}/status").read_text("utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0


def stolen():
    """Ticks that the hypervisor gave to others, and all."""
    ticks = [int(field) for field in Path("/proc/stat").read_text("utf-8").splitlines()[0].split()[1:]]
    return ticks[7], sum(ticks[:8])


def machine():
    """Processor, memory, operating system and JDK."""
    model = next((line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines()
                  if line.startswith("model name")), platform.machine())
    memory = int(Path("/proc/meminfo").read_text("utf-8").split()[1]) // 1024 // 1024
    java = subprocess.run(["java", "-version"], stderr=subprocess.PIPE, check=True, encoding="utf-8").stderr.split('"')[1]
    return f"{os.cpu_count()}-core machine ({model}, {memory} GiB), JDK {java}"


class Measurement:
    """All of it."""

    def __init__(self, arguments, directory):
        self.arguments = arguments
        self.directory = directory
        self.home = Session(CHECKOUT).home
        if not (self.home / "bin" / "storm").is_file():
            sys.exit(f"measure.py: nothing is built: {self.home} is missing. Run mvn package -DskipTests first.")
        commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=CHECKOUT, stdout=subprocess.PIPE, check=True,
                                encoding="utf-8").stdout.strip()
        self.same = {"rounds": arguments.rounds, "date": date.today().isoformat(), "machine": machine(),
                     "version": f"{self.home.name.rpartition('-')[2]}+{commit}"}
        self.rows = []

    def note(self, scenario, side, number, began, **figures):
        """A line of a file; times are rounded to 10 us."""
        before, then = began
        after, now = stolen()
        self.rows.append({"scenario": scenario, "side": side, "round": number,
                          "stolen_percent": round(100 * (after - before) / (now - then), 2),
                          **{name: round(value, -4 if name.endswith("_ns") else 2) for name, value in figures.items()}, **self.same})
        print(self.rows[-1], flush=True)

    def many_topologies(self, browser):
        """The list of a thousand topologies, and the page that shows it."""
        nimbus, port = free_port(), free_port()
        classes = os.pathsep.join([str(CHECKOUT / "web" / "target" / "test-classes"), str(self.home / "lib" / "*")])
        with Started(["java", "-Xmx256m", "-cp", classes, "io.eyewall.web.ManyTopologies", nimbus, TOPOLOGIES],
                     self.directory / "nimbus.out"):
            await_that("the Nimbus of the measurement listens", lambda: listens(nimbus))
            options = [f"nimbus.thrift.port={nimbus}", 'nimbus.seeds=["localhost"]', "ui.host=localhost", f"ui.port={port}",
                       f"storm.local.dir={self.directory / 'local'}"]
            with Started([self.home / "bin" / "storm", "ui", *(part for option in options for part in ("-c", option))],
                         self.directory / "ui.out"):
                root = f"http://localhost:{port}/"
                await_that("storm ui lists the topologies", lambda: get(root + "api/v1/topology/summary"))
                for number in range(1, self.arguments.rounds + 1):
                    began = stolen()
                    times = []
                    for _ in range(REQUESTS):
                        start = time.monotonic()
                        get(root + "api/v1/topology/summary")
                        times.append(round(NS_PER_S * (time.monotonic() - start)))
                    usable = browser.open(root)
                    self.note("web/cluster-page", f"{TOPOLOGIES} topologies", number, began, list_ns=round(statistics.median(times)),
                              longest_list_ns=max(times), usable_ns=round(usable * NS_PER_S / 1000))

    def cluster(self, browser):
        """A cluster of real processes."""
        storm = self.home / "bin" / "storm"
        cluster = self.directory / "cluster"

        def dev_cluster(action, *more):
            subprocess.run([str(storm), "dev-cluster", action, "--dir", str(cluster), *more], check=True, stdout=subprocess.DEVNULL)

        dev_cluster("start", "--ui")
        try:
            settings = cluster / "storm.yaml"
            port = next(line.split(":")[1].strip() for line in settings.read_text("utf-8").splitlines() if line.startswith('"ui.port"'))
            self.ten_tabs(browser, settings, f"http://localhost:{port}/")
            if not self.arguments.only:
                self.questions(browser, settings, f"http://localhost:{port}/")
        finally:
            dev_cluster("stop")

    def submit(self, settings, root, name, **configuration):
        """Submits a topology; returns its id and its worker's process."""
        jar = next((self.home / "examples").glob("*.jar"))
        options = [part for key, value in configuration.items() for part in ("-c", f"{key.replace('__', '-').replace('_', '.')}={value}")]
        subprocess.run([str(self.home / "bin" / "storm"), "--config", str(settings), "jar", str(jar), "io.eyewall.examples.Main", "linear",
                        name, *options], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        def found():
            listed = get(root + "api/v1/topology/summary") or {"topologies": []}
            return next((one["id"] for one in listed["topologies"] if one["name"] == name), None)

        topology = await_that(f"{name} runs", found)
        return topology, await_that(f"the worker of {name} runs", lambda: self.pid(f"-Dstorm.id={topology}"))

    def ten_tabs(self, browser, settings, root):
        """A topology that ten tabs watch."""
        topology, worker = self.submit(settings, root, "watched", topology_workers=1, eyewall_rate_per_sec=5000)
        interface = self.pid("io.eyewall.web.UiDaemon", str(self.directory / "cluster"))
        time.sleep(self.arguments.seconds)
        self.watch("no tab", interface, worker)
        # All are visible, so each follows the events. A browser has six connections to a server.
        other = Browser(self.directory, "other")
        try:
            for tab in range(TABS):
                shown = browser if tab % 2 == 0 else other
                if tab > 1:
                    shown.window()
                shown.open(f"{root}#/topology/{topology}")
            time.sleep(self.arguments.seconds)
            self.watch(f"{TABS} tabs", interface, worker)
        finally:
            other.close()

    def questions(self, browser, settings, root):
        """From the cluster's page to an answer."""
        topology, worker = self.submit(settings, root, "held", topology_workers=1, topology_acker_executors=0, eyewall_rate_per_sec=700,
                                       **{"eyewall_work_ms_bolt__0": 4}, eyewall_parallelism=2, topology_executor_receive_buffer_size=128)
        address = f"{root}api/v1/topology/{topology}/"
        os.kill(worker, signal.SIGKILL)
        await_that("the history notes that the worker has started again",
                   lambda: any(mark["kind"] == "restart" for mark in (get(address + "history?metric=workers") or {"marks": []})["marks"]))
        await_that("bolt-0 holds the spout", lambda: (get(address + "back-pressure") or {}).get("culprits"))
        for number in range(1, self.arguments.rounds + 1):
            for question, (clicks, answer) in QUESTIONS.items():
                began = stolen()
                browser.open(root)
                await_that("the cluster's page lists the topology", lambda: browser.value(f"Boolean({LINKS['topology']})"))
                start = time.monotonic()
                for click in clicks:
                    if click in LINKS:
                        await_that(f"the page has its {click}", lambda link=LINKS[click]: browser.value(f"Boolean({link})"))
                        browser.value(f"{LINKS[click]}.click()")
                await_that(question, lambda expected=answer: browser.value(f"Boolean({expected})"))
                self.note(f"web/{question}", "Eyewall", number, began, clicks=len(clicks),
                          answer_ns=round(NS_PER_S * (time.monotonic() - start)))

    def watch(self, side, interface, worker):
        """What both use meanwhile."""
        for number in range(1, self.arguments.rounds + 1):
            began = stolen()
            start = time.monotonic()
            before = [cpu_s(f"/proc/{interface}/stat"), cpu_s(f"/proc/{worker}/stat"), telling_s(worker)]
            time.sleep(self.arguments.seconds)
            after = [cpu_s(f"/proc/{interface}/stat"), cpu_s(f"/proc/{worker}/stat"), telling_s(worker)]
            passed = time.monotonic() - start
            used = [now - then for now, then in zip(after, before)]
            self.note("web/watched-topology", side, number, began, seconds=round(passed), ui_memory_mb=resident_mb(interface),
                      ui_cpu_percent=100 * used[0] / passed, worker_cpu_percent=100 * used[1] / passed,
                      telling_percent=100 * used[2] / used[1])

    @staticmethod
    def pid(*parts):
        """The process of Java's whose command line has all of these."""
        for process in Path("/proc").glob("[0-9]*"):
            try:
                line = (process / "cmdline").read_bytes().decode("utf-8", "replace")
            except OSError:
                continue
            if line.split("\0")[0].endswith("java") and all(part in line for part in parts) and "LogWriter" not in line:
                return int(process.name)
        return None

    def write(self, directory):
        """The files, one for each scenario but the questions, which have one together."""
        directory.mkdir(parents=True, exist_ok=True)
        files = {}
        for row in self.rows:
            name = row["scenario"].partition("/")[2]
            files.setdefault("questions" if name in QUESTIONS else name, []).append(row)
        for name, rows in files.items():
            columns = [*ALWAYS, *(figure for figure in FIGURES if figure in rows[0]), *CIRCUMSTANCES]
            with open(directory / f"{name}.csv", "w", encoding="utf-8", newline="") as output:
                writer = csv.DictWriter(output, columns, lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)


def main():
    """Measures and writes."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--rounds", type=int, default=5, help="of each measurement (5)")
    parser.add_argument("--seconds", type=int, default=60, help="a topology is watched for in each round (60)")
    parser.add_argument("--only", choices=["watched-topology"], help="the one scenario to measure; the files of others stay as they are")
    parser.add_argument("--out", type=Path, default=CHECKOUT / "benchmarks" / "web", help="the directory of the files (benchmarks/web)")
    arguments = parser.parse_args()
    directory = Path(tempfile.mkdtemp(prefix="eyewall-web-"))
    measurement = Measurement(arguments, directory)
    for part in [measurement.cluster] if arguments.only else [measurement.many_topologies, measurement.cluster]:
        browser = Browser(directory)
        try:
            part(browser)
        finally:
            browser.close()
    measurement.write(arguments.out)
    shutil.rmtree(directory)


if __name__ == "__main__":
    main()
