"""Every command line of the handbook is run, page by page, on a cluster of real processes."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import pages
from support import CHECKOUT, HERE

from eyewall_cli import processes
from eyewall_cli.dev_cluster import NICE, free_ports
from eyewall_cli.session import Session

DOCS = CHECKOUT / "docs"
TUTORIAL = DOCS / "start" / "tutorial.md"
README = CHECKOUT / "README.md"
RUN = "sh"
COMMAND = re.compile(r"^ *(?:\$ )?(?:bin/)?storm ")
PAGE_TIMEOUT_S = 1500
WORKER_TIMEOUT_S = 240
# Of which the reader sees that they are not run.
MOST_NOT_RUN = 3
# What would change the machine that the tests run on, or fetch or build what is there already.
LEFT_OUT = ("sudo", "apt-get", "git", "mvn")
SETTINGS = ("storm.scheduler=io.eyewall.scheduler.scaling.ElasticityScheduler", "executor.metrics.frequency.secs=5",
            "supervisor.cpu.capacity=400.0", "nimbus.monitor.freq.secs=2", "supervisor.worker.shutdown.sleep.secs=1",
            "topology.latency.interval.secs=1", "blacklist.scheduler.tolerance.count=1000")
SLOTS = 6


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

    def test_should_say_visibly_and_seldom_that_a_block_is_not_run(self):
        left_out = [block for page in documents() for block in pages.blocks(page) if block.language == RUN and block.not_run is not None]
        self.assertLessEqual(len(left_out), MOST_NOT_RUN)
        self.assertTrue(all(block.not_run for block in left_out))


def _is_usage(block):
    """Whether a block shows a command's usage, as the reference of the command line does, or what a command printed."""
    return block.page == DOCS / "reference" / "command-line.md" or block.language == "text" and not any(
        line.startswith("$ ") for line in block.lines)


class HandbookTest(unittest.TestCase):
    """Runs the pages. A checkout of its own: links to what this one has built, and its own bin, target and home directory."""

    @classmethod
    def setUpClass(cls):
        cls.directory = Path(tempfile.mkdtemp(prefix="storm-handbook-"))
        cls.addClassCleanup(shutil.rmtree, cls.directory, ignore_errors=True)
        cls.checkout = cls.directory / "eyewall"
        cls.checkout.mkdir()
        for path in CHECKOUT.iterdir():
            if path.name not in ("bin", "target", ".git"):
                (cls.checkout / path.name).symlink_to(path)
        shutil.copytree(CHECKOUT / "bin", cls.checkout / "bin")
        # Beside the system tests, a Supervisor that steps back does not start in time.
        command = cls.checkout / "bin" / "eyewall_cli" / "dev_cluster.py"
        command.write_text(command.read_text("utf-8").replace(f'NICE = "{NICE}"', 'NICE = "0"'), "utf-8")
        cls.home = cls.directory / "user"
        cls.home.mkdir()
        cls.work = cls.directory / "work"
        cls.work.mkdir()
        cls.storm = str(cls.checkout / "bin" / "storm")
        cls.built = Session(CHECKOUT).home
        if not (cls.built / "lib").is_dir():
            raise unittest.SkipTest(f"nothing is built: {cls.built} is missing. `bin/test` builds it first.")
        # The jar of the tutorial is that of all other pages.
        cls.tutorial = cls._run(TUTORIAL, cls.checkout, {})
        cls.addClassCleanup(cls._call, "dev-cluster", "stop")
        cls.cluster = cls.directory / "cluster"
        cls.environment = None

    @classmethod
    def _environment(cls, more):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("STORM_")}
        return {**environment, "HOME": str(cls.home), "XDG_CACHE_HOME": str(cls.home / ".cache"),
                "PATH": f"{cls.checkout / 'bin'}{os.pathsep}{environment['PATH']}", **more}

    @classmethod
    def _call(cls, *arguments, **more):
        return subprocess.run([sys.executable, cls.storm, *map(str, arguments)], env=cls._environment(more), cwd=cls.checkout,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False)

    @classmethod
    def _run(cls, page, directory, environment):
        """Runs the blocks of a page one after the other in one shell; returns the exit code and what was printed."""
        script = [f"storm() {{ '{sys.executable}' '{HERE / 'handbook_shell.py'}' storm \"$(type -P storm)\" \"$@\"; }}",
                  "function bin/storm { storm \"$@\"; }",
                  f"curl() {{ '{sys.executable}' '{HERE / 'handbook_shell.py'}' curl \"$WORKER_PORTS\" \"$@\"; }}"]
        script += [f"{name}() {{ echo 'left out: {name}' \"$@\"; }}" for name in LEFT_OUT]
        for block in pages.blocks(page):
            if block.title is not None:
                script.append(f"cat > '{block.title}' <<'END-OF-FILE'\n{block.text}END-OF-FILE")
            elif block.language == RUN and block.not_run is None:
                script.append(f"echo '== {block}'\nset -x\n{block.text}{{ set +x; }} 2> /dev/null")
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as printed:
            # Not through a pipe: daemons in the background would hold it open.
            with subprocess.Popen(["bash", "-euo", "pipefail", "-c", "\n".join(script)], cwd=directory, env=cls._environment(environment),
                                  stdin=subprocess.DEVNULL, stdout=printed, stderr=subprocess.STDOUT, start_new_session=True) as process:
                try:
                    code = process.wait(timeout=PAGE_TIMEOUT_S)
                except subprocess.TimeoutExpired:
                    code = f"not done within {PAGE_TIMEOUT_S} s"
                _end_group(process.pid)
            printed.seek(0)
            output = printed.read()
        record = os.environ.get("HANDBOOK_OUTPUT")
        if record:
            Path(record, page.relative_to(CHECKOUT).as_posix().replace("/", "-") + ".out").write_text(output, "utf-8")
        return code, output

    def test_should_lead_from_a_built_checkout_to_a_topology_with_a_shorter_tail(self):
        code, output = self.tutorial
        self.assertEqual(0, code, output)
        tables = re.findall(r"^end-to-end +price -> turnover +[\d,]+\*? +(.*)$", output, re.MULTILINE)
        self.assertEqual(2, len(tables), output)

    def test_should_run_the_commands_of_the_readme(self):
        code, output = self._run(README, self.checkout, {})
        self.assertEqual(0, code, output)

    def run_other(self, page):
        """Runs a page that takes a cluster and a topology for granted."""
        environment = self._cluster_environment()
        more = self._second_cluster(environment) if page.name == "install.md" else environment
        self.addCleanup(self._remove_topologies, environment)
        code, output = self._run(page, self.work, more)
        self.assertEqual(0, code, output)

    @classmethod
    def _cluster_environment(cls):
        """What lets commands use the cluster of all other pages, which is started for the first of them."""
        if cls.environment is None:
            cls.environment = cls._start_cluster()
            cls._provide(cls.environment)
        return cls.environment

    @classmethod
    def _start_cluster(cls):
        """A cluster with two Supervisors."""
        options = [word for setting in SETTINGS for word in ("-c", setting)]
        started = cls._call("dev-cluster", "start", "--dir", cls.cluster, "--slots", SLOTS, *options)
        cls.addClassCleanup(cls._call, "dev-cluster", "stop", "--dir", cls.cluster)
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
            env=cls._environment({**environment, "STORM_CONF_FILE": str(second), "STORM_SUPERVISOR_LOG_FILE": "second-supervisor.log"}))
        cls.addClassCleanup(supervisor.wait)
        cls.addClassCleanup(_end_group, supervisor.pid)
        return environment

    @classmethod
    def _provide(cls, environment):
        """What the pages take for granted: the jar, the running topology, logs, archives."""
        jar = cls.home / "orders" / "orders.jar"
        if not jar.is_file():
            raise AssertionError("the tutorial has not made its jar:\n" + cls.tutorial[1])
        shutil.copy(jar, cls.work)
        (cls.work / "logs").symlink_to(cls.cluster / "logs")
        (cls.work / "examples").mkdir()
        for path in (cls.built / "examples").iterdir():
            (cls.work / "examples" / path.name).symlink_to(path)
        archive = cls.built.parent / (cls.built.name + ".tar.gz")
        (cls.work / archive.name).symlink_to(archive)
        (cls.work / "apache-storm-2.8.3" / "conf").mkdir(parents=True)
        (cls.work / "apache-storm-2.8.3" / "conf" / "storm.yaml").write_text("# yours\n", "utf-8")
        (cls.work / "taxis.csv").write_text("4186585,33556,2009-01-06T05:15:07,40.0423,116.61,0,0\n", "utf-8")
        submitted = cls._call("jar", cls.work / "orders.jar", "Orders", "orders", **environment)
        if submitted.returncode != 0 or not processes.wait_until(cls._interval_logs, WORKER_TIMEOUT_S):
            raise AssertionError("the topology that the pages take for granted does not run:\n" + submitted.stdout)
        shutil.copy(cls._interval_logs()[0], cls.work / "latency.hlog")

    @classmethod
    def _interval_logs(cls):
        return [path for path in cls.cluster.glob("logs/workers-artifacts/orders-*/*/latency.hlog") if path.stat().st_size]

    def _second_cluster(self, environment):
        """The settings of a cluster of which nothing runs, on the other one's ZooKeeper."""
        nimbus, supervisor, *slots = free_ports(4)
        directory = self.directory / "installed"
        _write(self.directory / "installed.yaml", {
            **_read(self.cluster / "storm.yaml"), "storm.zookeeper.root": "/installed", "nimbus.thrift.port": nimbus,
            "supervisor.thrift.port": supervisor, "supervisor.slots.ports": slots, "storm.local.dir": str(directory),
            "storm.log.dir": str(directory / "logs"), "storm.metricstore.rocksdb.location": str(directory / "metrics")})
        return {**environment, "STORM_CONF_FILE": str(self.directory / "installed.yaml")}

    def _remove_topologies(self, environment):
        """All topologies except the one that every page takes for granted."""
        listed = self._call("list", **environment).stdout
        names = [name for name in re.findall(r"^(\S+) +(?:ACTIVE|INACTIVE|REBALANCING)", listed, re.MULTILINE) if name != "orders"]
        if names:
            self._call("kill", *names, "-w", 0, **environment)
            deadline = time.monotonic() + 60
            while any(name in self._call("list", **environment).stdout for name in names) and time.monotonic() < deadline:
                time.sleep(1)


def _add_tests():
    """A test for each page."""
    for page in documents():
        if page not in (README, TUTORIAL) and any(block.language == RUN for block in pages.blocks(page)):
            name = re.sub(r"\W", "_", page.relative_to(DOCS).with_suffix("").as_posix())
            setattr(HandbookTest, f"test_should_run_the_commands_of_{name}", lambda self, page=page: self.run_other(page))


def _end_group(group):
    """Ends what is left of a process group, daemons in the background above all."""
    try:
        os.killpg(group, signal.SIGTERM)
    except ProcessLookupError:
        pass


def _read(file):
    """The dev cluster's storm.yaml: JSON, one key on a line."""
    lines = (line.split(": ", 1) for line in file.read_text("utf-8").splitlines())
    return {json.loads(key): json.loads(value) for key, value in lines}


def _write(file, configuration):
    file.write_text("".join(f"{json.dumps(key)}: {json.dumps(value)}\n" for key, value in configuration.items()), "utf-8")


_add_tests()

if __name__ == "__main__":
    unittest.main()
