"""storm doctor: what it finds on a host."""

import json
import os
import resource
import socket
import subprocess
import sys
import unittest
from unittest import mock

from support import CHECKOUT, InstallationCase

from eyewall_cli import doctor
from eyewall_cli.dev_cluster import free_ports
from eyewall_cli.session import Session

MEMORY = "topology.component.resources.onheap.memory.mb"
VALUES = {"storm.local.dir": None, "storm.log.dir": None, "storm.zookeeper.servers": "localhost", "nimbus.seeds": "localhost",
          "storm.local.hostname": "localhost", "worker.childopts": "-Xmx%HEAP-MEM%m", MEMORY: "16.0"}


class DoctorTest(InstallationCase):
    """Real ports, limits and directories; java is the stand-in, except for the versions of daemons."""

    def findings(self, **changes):
        """What is found with the values, by the first word of each line."""
        names = ("nimbus.thrift.port", "supervisor.thrift.port", "supervisor.slots.ports", "ui.port", "drpc.port",
                 "drpc.invocations.port", "storm.zookeeper.port")
        values = {**VALUES, **dict(zip(names, map(str, free_ports(len(names))))), **changes}
        session = Session(self.home, environment=self.environment)
        with mock.patch.object(doctor, "config_values", return_value=values):
            return list(doctor._findings(session))  # pylint: disable=protected-access

    def only(self, text, findings):
        """The one finding that begins like this."""
        found = [finding for finding in findings if finding.text.startswith(text)]
        self.assertEqual(1, len(found), [str(finding) for finding in findings])
        return found[0]

    def test_should_find_zookeeper_and_nimbus_only_when_they_listen(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            findings = self.findings(**{"storm.zookeeper.port": str(server.getsockname()[1])})
        self.assertEqual("", self.only("ZooKeeper localhost", findings).remedy)
        nimbus = self.only("Nimbus localhost", findings)
        self.assertIn("cannot be reached: Connection refused. Start it, or correct nimbus.seeds.", str(nimbus))
        self.assertFalse(nimbus.fatal)
        missing = self.only("ZooKeeper localhost", self.findings())
        self.assertTrue(missing.fatal)
        self.assertTrue(str(missing).startswith("FAIL  ZooKeeper"), missing)

    def test_should_name_the_daemon_that_has_a_port_and_warn_of_others(self):
        with socket.create_server(("", 0)) as server:
            port = server.getsockname()[1]
            finding = self.only("ui.port", self.findings(**{"ui.port": str(port)}))
        self.assertEqual(f"warn  ui.port: {port} is in use by another process. End that process, or set another ui.port.", str(finding))
        source = "import socket; s = socket.create_server(('', 0)); print(s.getsockname()[1], flush=True); input()"
        with subprocess.Popen([sys.executable, "-c", source, "-Ddaemon.name=ui"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              encoding="utf-8") as daemon:
            port = daemon.stdout.readline().strip()
            finding = self.only("ui.port", self.findings(**{"ui.port": port}))
            daemon.communicate("\n")
        self.assertEqual(f"ok    ui.port: {port} is in use by ui (process {daemon.pid})", str(finding))

    def test_should_warn_of_few_files_and_little_memory(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (1000, hard))
        try:
            findings = self.findings(**{MEMORY: "99999999"})
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        self.assertIn("at most 1000. Raise the limit to 16384", str(self.only("open files", findings)))
        self.assertIn(f"a smaller {MEMORY}", self.only("memory", findings).remedy)

    def test_should_count_the_heap_that_the_options_of_workers_fix(self):
        memory = self.only("memory", self.findings(**{"worker.childopts": "-Xmx9000g -Xmx64m", MEMORY: "99999999"}))
        self.assertIn("slots: 1; heap of a worker: 64 MiB", memory.text)
        self.assertEqual("", memory.remedy)
        for heap in ("65536k", "67108864", "64M"):
            self.assertIn("heap of a worker: 64 MiB", self.only("memory", self.findings(**{"worker.childopts": f"-Xmx{heap} -Xss512k"})).text)
        self.assertIn("a smaller -Xmx", self.only("memory", self.findings(**{"worker.childopts": "-Xmx9000g"})).remedy)

    def test_should_refuse_a_directory_that_nothing_can_be_written_to(self):
        (self.directory / "file").write_text("", "utf-8")
        findings = self.findings(**{"storm.local.dir": str(self.directory / "file" / "local")})
        local = self.only("storm.local.dir", findings)
        self.assertTrue(local.fatal and local.remedy, local)
        self.assertEqual("", self.only("storm.log.dir", findings).remedy)

    def test_should_refuse_a_host_name_that_only_this_host_knows(self):
        findings = self.findings(**{"nimbus.seeds": "localhost nimbus.invalid"})
        self.assertIn("Other hosts cannot reach this address", self.only("host name", findings).remedy)
        findings = self.findings(**{"storm.local.hostname": "this-host.invalid"})
        self.assertIn("has no address", str(self.only("host name", findings)))

    def test_should_refuse_an_old_java(self):
        self.program(self.java_home / "bin" / "java", "import sys; print('openjdk version \"11.0.2\" 2019-01-15', file=sys.stderr)")
        old = self.only("Java 11.0.2", self.findings())
        self.assertTrue(old.fatal)
        self.assertIn("JDK 17", old.remedy)
        self.program(self.java_home / "bin" / "java", "import sys; print('openjdk version \"25\" 2025-09-16', file=sys.stderr)")
        self.assertEqual("", self.only("Java 25", self.findings()).remedy)

    def versions(self, own, *daemons):
        """What is found where Nimbus reports these daemons, each a kind, host and version; `own` are the installation's versions."""
        status = {"versions": own, "daemons": [dict(zip(("kind", "host", "version"), daemon)) for daemon in daemons]}
        self.program(self.java_home / "bin" / "java", f"print({json.dumps(json.dumps(status))})")
        with socket.create_server(("127.0.0.1", 0)) as server:
            return self.findings(**{"nimbus.thrift.port": str(server.getsockname()[1])})

    def test_should_name_daemons_of_another_version(self):
        findings = self.versions({"nimbus": "2.8.3", "supervisor": "2.8.3"}, ("nimbus", "a", "2.8.3"), ("supervisor", "b", "2.7.0"))
        self.assertEqual("", self.only("nimbus a: version 2.8.3", findings).remedy)
        self.assertIn("This host has 2.8.3: upgrade one of the two.", str(self.only("supervisor b: version 2.7.0", findings)))

    def test_should_tell_supervisors_of_upstream_from_those_of_eyewall(self):
        findings = self.versions({"nimbus": "2.8.3", "supervisor": "2.8.3+eyewall"}, ("supervisor", "a", "2.8.3+eyewall"),
                                 ("supervisor", "b", "2.8.3"))
        self.assertEqual("", self.only("supervisor a: version 2.8.3+eyewall", findings).remedy)
        self.assertIn("This host has 2.8.3+eyewall", self.only("supervisor b: version 2.8.3", findings).remedy)

    def test_should_stop_at_a_configuration_that_cannot_be_read(self):
        built = Session(CHECKOUT).home
        if not (built / "lib").is_dir():
            self.skipTest(f"nothing is built: {built} is missing")
        storm_yaml = self.directory / "bad.yaml"
        storm_yaml.write_text("nimbus.thrift.port: many\n", "utf-8")
        result = subprocess.run([sys.executable, CHECKOUT / "bin" / "storm", "--config", storm_yaml, "doctor"], capture_output=True,
                                encoding="utf-8", check=False, env={"PATH": os.environ["PATH"], "HOME": str(self.user_home)})
        self.assertEqual(1, result.returncode, result.stdout + result.stderr)
        self.assertRegex(result.stdout, r"(?m)^FAIL  configuration: not readable\. .*nimbus\.thrift\.port")
        self.assertRegex(result.stdout, r"(?m)^2 checks: 1 ok, 0 to look at, 1 to fix$")


if __name__ == "__main__":
    unittest.main()
