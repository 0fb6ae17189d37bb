"""The storm command as the container image has it: bin/container. What variables mean is tested by ConfigurationVariablesTest in Java."""

import json
import shutil
import socket
import subprocess
import sys
import unittest

from support import TIMEOUT_S, InstallationCase


class ContainerTest(InstallationCase):
    """With a place of the test's own for what a container writes."""

    def setUp(self):
        super().setUp()
        self.temporary = self.directory / "tmp"
        self.temporary.mkdir()
        self.own = self.temporary / "eyewall"

    def container(self, *arguments, port=0, **environment):
        """Runs bin/container to its end, with a configuration that has that port everywhere."""
        values = {key: str(port) for key in ("nimbus.thrift.port", "supervisor.thrift.port", "ui.https.port", "logviewer.port", "drpc.port",
                                             "pacemaker.port", "storm.zookeeper.port")}
        values["storm.local.dir"] = str(self.directory / "state")
        return subprocess.run([sys.executable, str(self.home / "bin" / "container"), *arguments], cwd=self.directory, encoding="utf-8",
                              env={**self.environment, "TMPDIR": str(self.temporary), "FAKE_JAVA_VALUES": json.dumps(values),
                                   **environment}, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_S, check=False)

    def test_should_run_each_daemon_with_the_configuration_that_is_put_together(self):
        for name, main_class in (("nimbus", "Nimbus"), ("supervisor", "Supervisor"), ("ui", "UiDaemon"), ("drpc", "DrpcServers"),
                                 ("logviewer", "LogviewerServer"), ("pacemaker", "Pacemaker"), ("zookeeper", "DevZookeeper")):
            with self.subTest(name):
                result = self.container(name, port=7000)
                self.assertEqual(0, result.returncode, result.stderr)
                *_, configuration, values, daemon = self.calls()
                self.assertEqual([str(self.own / "storm.yaml")], configuration.main_arguments[:1])
                self.assertEqual(["io.eyewall.client.command.ConfigValues", str(self.own / "storm.yaml")],
                                 [values.main_class, values.property("storm.conf.file")])
                self.assertTrue(daemon.main_class.endswith("." + main_class), daemon.main_class)
                self.assertEqual(str(self.own / "storm.yaml"), daemon.property("storm.conf.file"))
                self.assertEqual("# put together\n", (self.own / "storm.yaml").read_text("utf-8"))

    def test_should_put_the_file_that_the_user_names_and_the_variables_into_it(self):
        mine = self.directory / "mine.yaml"
        mine.write_text("# mine\n", "utf-8")
        self.container("nimbus", port=7000, STORM_CONF_FILE=str(mine), STORM_NIMBUS_SEEDS="a,b")
        configuration = self.calls()[0]
        self.assertEqual("io.eyewall.client.command.ContainerConfiguration", configuration.main_class)
        self.assertEqual((str(mine), "a,b"), (configuration.property("storm.conf.file"), configuration.environment["STORM_NIMBUS_SEEDS"]))
        self.assertIn(str(self.home / "conf"), configuration.class_path)

    def test_should_leave_the_daemons_configuration_alone_when_a_command_runs_beside_it(self):
        self.container("nimbus", port=7000)
        (self.own / "storm.yaml").write_text("# the daemon's\n", "utf-8")
        self.container("list")
        self.assertEqual("# the daemon's\n", (self.own / "storm.yaml").read_text("utf-8"))
        self.assertEqual("7000\n", (self.own / "port").read_text("utf-8"))
        self.assertEqual(str(self.own / "client.yaml"), self.calls()[-1].property("storm.conf.file"))

    def test_should_forget_the_processes_of_workers_of_an_earlier_container(self):
        worker = self.directory / "state" / "workers" / "one"
        left = [worker / "pids" / "65", worker / "heartbeats" / "1795629371880"]
        for file in left:
            file.parent.mkdir(parents=True)
            file.touch()
        self.container("nimbus", port=7000)
        self.assertTrue(all(file.exists() for file in left))
        self.container("supervisor", port=7000)
        self.assertFalse(any(file.exists() for file in left))
        self.assertTrue(all(file.parent.is_dir() for file in left))

    def test_should_be_well_when_the_daemons_port_answers_and_only_then(self):
        self.assert_fails(self.container("health"), 1, "no daemon was started in this container")
        with socket.create_server(("localhost", 0)) as daemon:
            port = daemon.getsockname()[1]
            for name in ("nimbus", "ui"):
                self.container(name, port=port)
                result = self.container("health")
                self.assertEqual((0, ""), (result.returncode, result.stderr))
        self.assert_fails(self.container("health"), 1, f"does not answer at port {port}")

    def test_should_say_in_one_line_what_is_wrong(self):
        failure = "ContainerConfiguration:storm: the variable STORM_NIMBUS_SEED sets no key."
        self.assert_fails(self.container("nimbus", FAKE_JAVA_FAIL=failure), 1, "the variable STORM_NIMBUS_SEED sets no key.")
        self.assert_fails(self.container("ui", port=-1), 1, "ui would listen on no port. Set ui.port.")
        self.assert_fails(self.container("nimbus", STORM_CONF_FILE="/no/such"), 1, "STORM_CONF_FILE: no such file: /no/such")
        shutil.rmtree(self.own)
        self.own.touch()
        self.assert_fails(self.container("nimbus"), 1, f"cannot make {self.own}", f"Mount a volume at {self.temporary}")


if __name__ == "__main__":
    unittest.main()
