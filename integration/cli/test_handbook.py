"""Every command line of the handbook is run, page by page, on a cluster of real processes."""

import json
import re
import shutil
import subprocess
import sys
import time
import unittest

import pages
from handbook import DOCS, README, RUN, TUTORIAL, HandbookCase, end_group
from handbook_shell import CALM
from support import LONG

from eyewall_cli import processes
from eyewall_cli.dev_cluster import free_ports

COMMAND = re.compile(r"^ *(?:\$ )?(?:bin/)?storm ")
WORKER_TIMEOUT_S = 240
# Of which the reader sees that they are not run.
MAX_NOT_RUN = 3
# JVMs that run for a minute.
SMALL_JVM = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
SETTINGS = ("storm.scheduler=io.eyewall.scheduler.scaling.ElasticityScheduler", "executor.metrics.frequency.secs=5",
            "supervisor.cpu.capacity=400.0", "nimbus.monitor.freq.secs=2", "supervisor.worker.shutdown.sleep.secs=1",
            "topology.latency.interval.secs=1", "blacklist.scheduler.tolerance.count=1000",
            f"nimbus.childopts=-Xmx512m {SMALL_JVM}", f"supervisor.childopts=-Xmx256m {SMALL_JVM}", f"worker.gc.childopts={SMALL_JVM}",
            f"topology.worker.logwriter.childopts=-Xmx64m {SMALL_JVM}", f"ui.childopts=-Xmx512m {SMALL_JVM}",
            # With the default of one in a thousand, what is looked at for seconds is rarely recorded.
            "topology.latency.recording=all", *CALM[1::2])
SLOTS = 6
# A dozen JVMs, as for `storm demo` of the README: only a long run runs it.
DEMO_WITH_UI = "storm demo --ui"


def documents():
    """The README and every page of the handbook, the tutorial first."""
    return [README, TUTORIAL, *(page for page in sorted(DOCS.rglob("*.md")) if page != TUTORIAL)]


class CommandLineBlockTest(unittest.TestCase):
    """Where command lines stand in the pages."""

    def test_should_have_every_command_line_in_a_block_that_is_run(self):
        blocks = [block for page in documents() for block in pages.blocks(page)]
        wrong = [str(block) for block in blocks if block.language != RUN and any(COMMAND.match(line) for line in block.lines)
                 and not _is_usage(block)]
        self.assertEqual([], wrong, f"a block with a command line begins with ```{RUN}")
        self.assertGreater(len([block for block in blocks if block.language == RUN]), 40)

    def test_should_have_one_block_that_only_long_runs_run(self):
        self.assertEqual(["storm demo --ui --seconds 300\n"],
                         [block.text for page in documents() for block in pages.blocks(page) if DEMO_WITH_UI in block.text])

    def test_should_give_the_reason_for_the_few_blocks_that_are_not_run(self):
        left_out = [block for page in documents() for block in pages.blocks(page) if block.language == RUN and block.not_run is not None]
        self.assertLessEqual(len(left_out), MAX_NOT_RUN)
        self.assertTrue(all(block.not_run for block in left_out))


def _is_usage(block):
    """Whether a block shows a command's usage, as the reference of the command line does, or what a command printed."""
    return block.page == DOCS / "reference" / "command-line.md" or block.language == "text" and not any(
        line.startswith("$ ") for line in block.lines)


class HandbookTest(HandbookCase):
    """The pages that take a cluster and a topology for granted."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.work = cls.directory / "work"
        cls.work.mkdir()
        cls.cluster = cls.directory / "cluster"
        cls.environment = cls._start_cluster()
        cls._provide()

    def run_other(self, page):
        """Runs a page that takes a cluster and a topology for granted."""
        environment = self._second_cluster() if page.name == "install.md" else self.environment
        if any("storm jar" in block.text for block in pages.blocks(page)):
            self.addCleanup(self._remove_topologies)
        code, output = self.run_page(page, self.work, environment, lambda block: LONG or DEMO_WITH_UI not in block.text)
        self.assertEqual(0, code, output)

    @classmethod
    def _start_cluster(cls):
        """A cluster with two Supervisors."""
        options = [word for setting in SETTINGS for word in ("-c", setting)]
        started = cls.call("dev-cluster", "start", "--dir", cls.cluster, "--slots", SLOTS, *options)
        cls.addClassCleanup(cls.call, "dev-cluster", "stop", "--dir", cls.cluster)
        if started.returncode != 0:
            raise AssertionError(started.stdout)
        configuration = _read(cls.cluster / "storm.yaml")
        thrift, *slots = free_ports(1 + SLOTS)
        environment = {"STORM_CONF_FILE": str(cls.cluster / "storm.yaml"),
                       "WORKER_PORTS": ",".join(map(str, configuration["supervisor.slots.ports"] + slots)),
                       # So that all that the pages start ends with the cluster.
                       processes.MARKER: (cls.cluster / "cluster-id").read_text("ascii").strip()}
        second = cls.directory / "second.yaml"
        _write(second, {**configuration, "supervisor.thrift.port": thrift, "supervisor.slots.ports": slots,
                        "storm.local.dir": str(cls.directory / "second")})
        supervisor = subprocess.Popen(
            [sys.executable, cls.storm, "supervisor"], cwd=cls.directory, start_new_session=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=cls.environment_with({**environment, "STORM_CONF_FILE": str(second), "STORM_SUPERVISOR_LOG_FILE": "second-supervisor.log"}))
        cls.addClassCleanup(supervisor.wait)
        cls.addClassCleanup(end_group, supervisor.pid)
        return environment

    @classmethod
    def _provide(cls):
        """What the pages take for granted: the tutorial's jar, the running topology, logs, archives."""
        cls._make_jar(lambda block: block.title is not None or block.lines[0].startswith("mkdir "), cls.work)
        source = cls.home / "orders"
        cls._make_jar(lambda block: block.lines[0].startswith("javac "), source)
        shutil.copy(source / "orders.jar", cls.work)
        (cls.work / "logs").symlink_to(cls.cluster / "logs")
        (cls.work / "examples").mkdir()
        for path in (cls.built / "examples").iterdir():
            (cls.work / "examples" / path.name).symlink_to(path)
        archive = cls.built.parent / (cls.built.name + ".tar.gz")
        (cls.work / archive.name).symlink_to(archive)
        (cls.work / "apache-storm-2.8.3" / "conf").mkdir(parents=True)
        (cls.work / "apache-storm-2.8.3" / "conf" / "storm.yaml").write_text("# yours\n", "utf-8")
        (cls.work / "taxis.csv").write_text("4186585,33556,2009-01-06T05:15:07,40.0423,116.61,0,0\n", "utf-8")
        submitted = cls.call("jar", cls.work / "orders.jar", "Orders", "orders", **cls.environment)
        if submitted.returncode != 0 or not processes.wait_until(cls._interval_logs, WORKER_TIMEOUT_S):
            raise AssertionError("the topology that the pages take for granted does not run:\n" + submitted.stdout)
        shutil.copy(cls._interval_logs()[0], cls.work / "latency.hlog")

    @classmethod
    def _make_jar(cls, wanted, directory):
        """Runs blocks of the tutorial that write the topology or compile it."""
        code, output = cls.run_page(TUTORIAL, directory, {}, wanted)
        if code != 0:
            raise AssertionError("the tutorial has not made its jar:\n" + output)

    @classmethod
    def _interval_logs(cls):
        return [path for path in cls.cluster.glob("logs/workers-artifacts/orders-*/*/latency.hlog") if path.stat().st_size]

    def _second_cluster(self):
        """The settings of a cluster of which nothing runs, on the other one's ZooKeeper."""
        nimbus, supervisor, *slots = free_ports(4)
        directory = self.directory / "installed"
        _write(self.directory / "installed.yaml", {
            **_read(self.cluster / "storm.yaml"), "storm.zookeeper.root": "/installed", "nimbus.thrift.port": nimbus,
            "supervisor.thrift.port": supervisor, "supervisor.slots.ports": slots, "storm.local.dir": str(directory),
            "storm.log.dir": str(directory / "logs"), "storm.metricstore.rocksdb.location": str(directory / "metrics")})
        return {**self.environment, "STORM_CONF_FILE": str(self.directory / "installed.yaml")}

    def _remove_topologies(self):
        """All topologies except the one that every page takes for granted."""
        listed = self.call("list", **self.environment).stdout
        names = [name for name in re.findall(r"^(\S+) +(?:ACTIVE|INACTIVE|REBALANCING)", listed, re.MULTILINE) if name != "orders"]
        if names:
            self.call("kill", *names, "-w", 0, **self.environment)
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline:
                listed = self.call("list", **self.environment).stdout
                if not any(name in listed for name in names):
                    break
                time.sleep(4)


def _add_tests():
    """A test for each page."""
    for page in documents():
        if page not in (README, TUTORIAL) and any(block.language == RUN for block in pages.blocks(page)):
            name = re.sub(r"\W", "_", page.relative_to(DOCS).with_suffix("").as_posix())
            setattr(HandbookTest, f"test_should_run_the_commands_of_{name}", lambda self, page=page: self.run_other(page))


def _read(file):
    """The dev cluster's storm.yaml: JSON, one key on a line."""
    lines = (line.split(": ", 1) for line in file.read_text("utf-8").splitlines())
    return {json.loads(key): json.loads(value) for key, value in lines}


def _write(file, configuration):
    file.write_text("".join(f"{json.dumps(key)}: {json.dumps(value)}\n" for key, value in configuration.items()), "utf-8")


_add_tests()

if __name__ == "__main__":
    unittest.main()
