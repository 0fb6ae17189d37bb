"""Sub-commands that run daemons, and those that describe the installation."""

import json
import unittest

from support import InstallationCase

VALUES = json.dumps({"nimbus.childopts": "-Xmx1g -Da='b c'", "supervisor.childopts": "-Xmx256m", "java.library.path": "/usr/local/lib"})


class DaemonsTest(InstallationCase):
    """See the module."""

    def test_should_run_the_main_class_of_each_daemon(self):
        for name, main_class in (("nimbus", "org.apache.storm.daemon.nimbus.Nimbus"),
                                 ("supervisor", "org.apache.storm.daemon.supervisor.Supervisor"),
                                 ("pacemaker", "org.apache.storm.pacemaker.Pacemaker"),
                                 ("drpc", "io.eyewall.web.drpc.DrpcServers"),
                                 ("ui", "io.eyewall.web.UiDaemon"),
                                 ("logviewer", "io.eyewall.web.logs.LogviewerServer")):
            with self.subTest(name):
                self.storm(name)
                asked, call = self.calls()[-2:]
                self.assertEqual("io.eyewall.client.command.ConfigValues", asked.main_class)
                self.assertEqual(name == "nimbus", "--checked" in asked.main_arguments)
                self.assertEqual(main_class, call.main_class)
                self.assertEqual(name, call.property("daemon.name"))
                self.assertEqual(f"{name}.log", call.property("logfile.name"))
                self.assertEqual("true", call.property("java.deserialization.disabled"))
                self.assertFalse(call.launched)
                self.assertEqual("-server", call.arguments[0])
                self.assertNotIn("-XX:TieredStopAtLevel=1", call.arguments)

    def test_should_take_options_and_paths_from_the_configuration(self):
        self.storm("nimbus", FAKE_JAVA_VALUES=VALUES)
        call = self.calls()[-1]
        self.assertEqual(["-Xmx1g", "-Da=b c"], call.arguments[call.arguments.index("-cp") + 2:][:2])
        self.assertEqual("/usr/local/lib", call.property("java.library.path"))
        self.assertEqual(str(self.home), call.property("storm.home"))
        self.assertEqual(str(self.home / "logs"), call.property("storm.log.dir"))
        self.assertEqual(str(self.home / "log4j2" / "cluster.xml"), call.property("log4j.configurationFile"))
        self.assertEqual(str(self.home / "conf"), call.class_path[-1])

    def test_should_log_where_the_configuration_says(self):
        for given, expected in (("etc", str(self.home / "etc" / "cluster.xml")), ("/etc/storm", "/etc/storm/cluster.xml")):
            self.storm("supervisor", FAKE_JAVA_VALUES=json.dumps({"storm.log.dir": "/var/log/storm", "storm.log4j2.conf.dir": given}),
                       STORM_SUPERVISOR_LOG_FILE="my.log")
            call = self.calls()[-1]
            self.assertEqual(("/var/log/storm", "my.log", expected),
                             tuple(call.property(name) for name in ("storm.log.dir", "logfile.name", "log4j.configurationFile")))

    def test_should_pass_the_users_configuration_to_both_processes(self):
        config = self.directory / "storm.yaml"
        config.write_text("# mine\n", "utf-8")
        self.storm("nimbus", "--config", config, "-c", "nimbus.thrift.port=1")
        for call in self.calls():
            self.assertEqual((str(config), "nimbus.thrift.port%3D1"), (call.property("storm.conf.file"), call.property("storm.options")))

    def test_should_run_a_development_zookeeper_without_options_of_its_own(self):
        self.storm("dev-zookeeper")
        call = self.calls()[-1]
        self.assertEqual("org.apache.storm.command.DevZookeeper", call.main_class)
        self.assertEqual(("dev_zookeeper", "dev-zookeeper.log"), (call.property("daemon.name"), call.property("logfile.name")))

    def test_should_tell_the_failure_of_java_in_one_line_when_the_configuration_cannot_be_read(self):
        failure = "ConfigValues:warning: something else\nstorm: /conf/storm.yaml:3: not YAML: what. Correct that line."
        for command in ("nimbus", "dev-zookeeper"):
            self.assert_fails(self.storm(command, FAKE_JAVA_FAIL=failure), 1, "/conf/storm.yaml:3: not YAML: what. Correct that line.")


class InformationTest(InstallationCase):
    """See the module."""

    def test_should_print_values_in_upstreams_form(self):
        values = json.dumps({"nimbus.seeds": "a b"})
        for command in ("localconfvalue", "remoteconfvalue"):
            result = self.storm(command, "nimbus.seeds", FAKE_JAVA_VALUES=values)
            self.assertEqual((0, "nimbus.seeds: a b\n"), (result.returncode, result.stdout))
            self.assertEqual("no.such: null\n", self.storm(command, "no.such").stdout)

    def test_should_look_in_the_clients_directory_for_local_values_only(self):
        own = self.user_home / ".storm"
        own.mkdir()
        (own / "storm.yaml").write_text("# mine\n", "utf-8")
        self.assertIn(str(own), self.call("localconfvalue", "k").class_path)
        self.assertNotIn(str(own), self.call("remoteconfvalue", "k").class_path)

    def test_should_print_class_paths_without_java(self):
        self.assertIn("/lib-worker/*:", self.storm("classpath").stdout)
        self.assertIn("/lib/*:", self.storm("server_classpath").stdout)
        self.assertEqual([], self.calls())

    def test_should_print_the_versions(self):
        self.assertEqual("io.eyewall.client.command.InstalledVersion", self.call("version").main_class)

    def test_should_open_a_repl_only_when_clojure_is_there(self):
        self.assert_fails(self.storm("repl"), 1, "lib-clojure is missing")
        (self.home / "lib-clojure").mkdir()
        (self.home / "lib-clojure" / "clojure-1.12.0.jar").touch()
        call = self.call("repl")
        self.assertEqual("clojure.main", call.main_class)
        self.assertIn(str(self.home / "lib-clojure" / "*"), call.class_path)


if __name__ == "__main__":
    unittest.main()
