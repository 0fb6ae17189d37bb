"""storm dev-cluster, with processes that stand for the daemons."""

import json
import os
import re
import signal
import subprocess
import unittest
from pathlib import Path

from support import TIMEOUT_S, ClusterCase


class DevClusterTest(ClusterCase):
    """See the module."""

    def setUp(self):
        super().setUp()
        self.cluster = self.directory / "cluster"

    def start(self, *arguments, **environment):
        """Runs storm dev-cluster start."""
        return self.storm("dev-cluster", "start", "--dir", self.cluster, *arguments, **environment)

    def stop(self):
        """Runs storm dev-cluster stop."""
        return self.storm("dev-cluster", "stop", "--dir", self.cluster)

    def test_should_run_three_daemons_that_the_configuration_names(self):
        result = self.start("--slots", 3, "-c", "topology.debug=true", "-c", 'drpc.servers=["a"]', "-c", "storm.cluster.mode=odd one")
        self.assertEqual(0, result.returncode, result.stderr)
        call = self.call("list", "--config", self.cluster)
        self.assertEqual(str(self.cluster / "storm.yaml"), call.property("storm.conf.file"))
        lines = (self.cluster / "storm.yaml").read_text("utf-8").splitlines()
        values = {json.loads(key): json.loads(value) for key, value in (line.split(": ", 1) for line in lines)}
        self.assertEqual((True, ["a"], "odd one", 3), (values["topology.debug"], values["drpc.servers"], values["storm.cluster.mode"],
                                                       len(values["supervisor.slots.ports"])))
        self.assertTrue(values["storm.metricstore.rocksdb.location"].startswith(str(self.cluster)))
        status = self.storm("dev-cluster", "status", "--dir", self.cluster)
        self.assertEqual(0, status.returncode, status.stderr)
        self.assertEqual(3, status.stdout.count("running, process"))
        self.assertRegex(status.stdout, "slots +3\n")
        self.assertRegex(status.stdout, "workers +[01] of 1 listen\n")
        self.assertIn("one: ACTIVE, 1 worker, 5 executors", status.stdout)

    def test_should_show_commands_that_work_in_any_directory(self):
        relative = self.cluster.relative_to(self.directory)
        result = self.storm("dev-cluster", "start", "--dir", relative)
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertRegex(result.stdout, f"(?m)^Use it: +/.* --config {self.cluster / 'storm.yaml'} COMMAND")
        self.assertRegex(result.stdout, f"(?m)^Stop it: +/.* dev-cluster stop --dir {self.cluster}$")
        self.assertIn(f"Stopped. Logs: {self.cluster / 'logs'}\n", self.storm("dev-cluster", "stop", "--dir", relative).stdout)

    def test_should_run_the_web_interface_and_the_logviewer_when_asked_to(self):
        result = self.start("--ui")
        self.assertEqual(0, result.returncode, result.stderr)
        lines = (self.cluster / "storm.yaml").read_text("utf-8").splitlines()
        values = {json.loads(key): json.loads(value) for key, value in (line.split(": ", 1) for line in lines)}
        self.assertEqual(("localhost", "localhost"), (values["ui.host"], values["logviewer.host"]))
        self.assertIn(f"In a browser: http://localhost:{values['ui.port']}/", result.stdout)
        status = self.storm("dev-cluster", "status", "--dir", self.cluster)
        self.assertEqual((0, 5), (status.returncode, status.stdout.count("running, process")), status.stdout)
        os.kill(int(re.search(r"^logviewer +running, process (\d+)$", status.stdout, re.MULTILINE).group(1)), signal.SIGKILL)
        self.assertRegex(self.storm("dev-cluster", "status", "--dir", self.cluster).stdout, "logviewer +not running")
        self.assertEqual(0, self.stop().returncode)
        self.assertEqual([], self.running())

    def test_should_begin_with_no_log_of_the_cluster_before(self):
        self.start()
        self.stop()
        old = self.cluster / "logs" / "workers-artifacts.log"
        old.write_text("of the cluster before", "utf-8")
        self.start()
        self.assertFalse(old.exists())

    def test_should_let_workers_step_back_behind_zookeeper_and_nimbus(self):
        self.start()
        status = self.storm("dev-cluster", "status", "--dir", self.cluster).stdout
        pids = dict(re.findall(r"^(\S+) +running, process (\d+)$", status, re.MULTILINE))
        own = os.getpriority(os.PRIO_PROCESS, 0)
        nice = {name: os.getpriority(os.PRIO_PROCESS, int(pid)) - own for name, pid in pids.items()}
        self.assertEqual({"dev-zookeeper": 0, "nimbus": 0, "supervisor": 5}, nice)
        session = Path("/proc", pids["supervisor"], "autogroup")
        if session.is_file() and session.read_text("ascii").startswith("/autogroup"):
            self.assertTrue(session.read_text("ascii").endswith("nice 5\n"), session.read_text("ascii"))

    def test_should_end_everything_workers_included_and_keep_logs_when_stopped(self):
        self.start()
        self.assertEqual(4, len(self.running()))
        result = self.stop()
        self.assertEqual((0, []), (result.returncode, self.running()), result.stderr)
        self.assertEqual([".lock", "logs"], sorted(path.name for path in self.cluster.iterdir()))
        self.assertIn("No dev cluster runs", self.stop().stdout)

    def test_should_count_its_slots(self):
        self.assertIn(" a Supervisor with 1 slot. Logs: ", self.start("--slots", 1).stdout)
        self.stop()
        self.assertIn(" a Supervisor with 4 slots. Logs: ", self.start().stdout)

    def test_should_refuse_to_start_twice(self):
        self.start()
        before = {identity.pid for identity in self.running()}
        self.assert_fails(self.start(), 1, "a dev cluster is running in", "dev-cluster stop --dir")
        self.assertEqual(before, {identity.pid for identity in self.running()})

    def test_should_start_again_after_it_was_stopped_or_killed(self):
        self.start()
        self.stop()
        self.assertEqual(0, self.start().returncode)
        for identity in self.running():
            identity.send(signal.SIGKILL)
        self.assertEqual(1, self.storm("dev-cluster", "status", "--dir", self.cluster).returncode)
        self.assertEqual(0, self.start().returncode)
        self.assertEqual(4, len(self.running()))

    def test_should_end_the_workers_of_a_supervisor_that_was_killed(self):
        self.start()
        pid = int((self.cluster / "pids" / "supervisor.pid").read_text("ascii").split()[0])
        os.kill(pid, signal.SIGKILL)
        status = self.storm("dev-cluster", "status", "--dir", self.cluster)
        self.assertEqual(1, status.returncode)
        self.assertIn("supervisor     not running", status.stdout)
        self.stop()
        self.assertEqual([], self.running())

    def test_should_never_touch_a_process_that_only_has_the_id_of_one_of_its_own(self):
        self.start()
        for identity in self.running():
            identity.send(signal.SIGKILL)
        stranger = subprocess.Popen(["sleep", "600"])
        self.addCleanup(stranger.wait)
        self.addCleanup(stranger.kill)
        (self.cluster / "pids" / "nimbus.pid").write_text(f"{stranger.pid} 1\n", "ascii")
        self.assertIn("No dev cluster runs", self.storm("dev-cluster", "status", "--dir", self.cluster).stdout)
        self.stop()
        self.assertIsNone(stranger.poll())

    def test_should_leave_nothing_running_when_a_daemon_cannot_start(self):
        result = self.start(FAKE_JAVA_FAIL="Nimbus:Address already in use" + " and more" * 500)
        self.assert_fails(result, 1, "nimbus ended with exit code 1 while starting: Address already in use", "nimbus.out")
        self.assertLess(len(result.stderr), 1_000, "the whole configuration of a daemon is in one line")
        self.assertEqual([], self.running())
        self.assertEqual(0, self.start().returncode)

    def test_should_leave_nothing_running_when_it_is_interrupted_while_starting(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = subprocess.Popen(self.line("dev-cluster", "start", "--dir", self.cluster), cwd=self.directory,
                                       env={**self.environment, "FAKE_JAVA_FAIL": "ClusterStatus:not yet"})
            self.await_call("ClusterStatus")
            process.send_signal(number)
            self.assertEqual(128 + number, process.wait(TIMEOUT_S))
            self.assertEqual([], self.running())
            self.forget_calls()

    def test_should_not_mix_its_files_with_a_users(self):
        self.cluster.mkdir()
        (self.cluster / "thesis.txt").write_text("mine", "utf-8")
        self.assert_fails(self.start(), 1, "thesis.txt", "--dir")
        (self.cluster / "thesis.txt").unlink()
        (self.cluster / "storm.yaml").write_text("# mine\n", "utf-8")
        self.assert_fails(self.start(), 1, "storm.yaml", "--dir")
        self.assertEqual("# mine\n", (self.cluster / "storm.yaml").read_text("utf-8"))
        self.cluster = self.directory / "file"
        self.cluster.write_text("mine", "utf-8")
        self.assert_fails(self.start(), 1, "is not a directory")

    def test_should_keep_its_state_in_the_users_home_unless_told_otherwise(self):
        result = self.storm("dev-cluster", "start")
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertTrue((self.user_home / ".eyewall" / "dev-cluster" / "storm.yaml").is_file())
        self.storm("dev-cluster", "stop")
        self.assertEqual([], self.running())


if __name__ == "__main__":
    unittest.main()
