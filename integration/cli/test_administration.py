"""Sub-commands that hand their options on to a class of upstream's."""

import unittest

from support import InstallationCase

PACKAGE = "org.apache.storm.command."

# arguments of bin/storm, main class, arguments of the main class
CASES = [
    ("list", "ListTopologies", ""),
    ("kill one", "KillTopology", "one"),
    ("kill one -w 5", "KillTopology", "-w 5 one"),
    ("kill --wait-time-secs 5 -i one two", "KillTopology", "-w 5 -i one two"),
    ("activate one", "Activate", "one"),
    ("deactivate one", "Deactivate", "one"),
    ("rebalance one", "Rebalance", "one"),
    ("rebalance one -w 0 -n 3 -e a=2 --executor b=4", "Rebalance", "-w 0 -n 3 -e a=2 -e b=4 one"),
    ('rebalance -r {"a":{"cpu":1}} -t {"topology.debug":true} one', "Rebalance",
     '-r {"a":{"cpu":1}} -t {"topology.debug":true} one'),
    ("monitor one -i 2 -m a -s default -w transferred", "Monitor", "-i 2 -m a -s default -w transferred one"),
    ("get-errors one", "GetErrors", "one"),
    ("set_log_level -l ROOT=DEBUG:30 -l com.x=WARN -r com.y one", "SetLogLevel", "-l ROOT=DEBUG:30 -l com.x=WARN -r com.y one"),
    ("upload-credentials one k1 v1 -u alice -e k2 v2", "UploadCredentials", "-u alice -e one k1 v1 k2 v2"),
    ("drpc-client f1 a1 f2 a2", "BasicDrpcClient", "f1 a1 f2 a2"),
    ("drpc-client -f f1 a1", "BasicDrpcClient", "-f f1 a1"),
    ("blobstore list", "Blobstore", "list"),
    ("blobstore list a b", "Blobstore", "list a b"),
    ("blobstore cat a -f out", "Blobstore", "cat -f out a"),
    ("blobstore create a -a u:alice:rwa,o::r -r 2", "Blobstore", "create -a u:alice:rwa,o::r -r 2 a"),
    ("blobstore update a", "Blobstore", "update a"),
    ("blobstore delete a", "Blobstore", "delete a"),
    ("blobstore set-acl a -s o::rwa", "Blobstore", "set-acl -s o::rwa a"),
    ("blobstore replication a --read", "Blobstore", "replication --read a"),
    ("blobstore replication --update a --replication-factor 3", "Blobstore", "replication --update -r 3 a"),
    ("heartbeats list /x", "Heartbeats", "list /x"),
    ("heartbeats get /x", "Heartbeats", "get /x"),
    ("admin remove_corrupt_topologies", "AdminCommands", "remove_corrupt_topologies"),
    ("admin zk_cli -s zoo:2181 -t 5 -w -n -j jaas", "AdminCommands", "zk_cli -s zoo:2181 -t 5 -w -n -j jaas"),
    ("admin creds one-1-1", "AdminCommands", "creds one-1-1"),
    ("admin print_topo one-1-1", "AdminCommands", "print_topo one-1-1"),
    ("admin print_super", "AdminCommands", "print_super"),
    ("admin print_assignment a b", "AdminCommands", "print_assignment a b"),
    ("node-health-check", "HealthCheck", ""),
    ("kill_workers", "KillWorkers", ""),
]

REFUSED = [
    ("kill", 2, "topology-name"),
    ("kill one -w x", 2, "argument -w/--wait/--wait-time-secs: 'x' is not a whole number from 0"),
    ("kill one -w -1", 2, "'-1'"),
    ("kill one --wiat 3", 2, "--wiat"),
    ("rebalance one -n 0", 2, "'0' is not a whole number from 1"),
    ("rebalance one -e a", 1, "COMPONENT=NUMBER"),
    ("rebalance one -e a=many", 1, "'many' is not a whole number"),
    ("rebalance one -r {", 1, "'{' is not a JSON object"),
    ("rebalance one -t [1]", 1, "'[1]' is not a JSON object"),
    ("set_log_level -l ROOT one", 1, "LOGGER=LEVEL"),
    ("set_log_level -l ROOT=LOUD one", 1, "no log level 'LOUD'"),
    ("set_log_level -l ROOT=INFO:soon one", 1, "'soon' is not a whole number"),
    ("upload-credentials one k", 1, "pairs of a key and a value"),
    ("upload-credentials one -f nosuch", 1, "no such file: nosuch"),
    ("drpc-client f", 1, "pairs of a function and its argument"),
    ("blobstore create a -f nosuch", 1, "no such file: nosuch"),
    ("blobstore create a -a x:alice:r", 1, "'x:alice:r'"),
    ("blobstore set-acl a -s o::rwx", 1, "'o::rwx'"),
    ("blobstore replication a", 1, "--read and --update"),
    ("blobstore replication a --update", 1, "-r NUMBER"),
    ("blobstore", 2, "a command is missing"),
    ("blobstore dependencies a", 2, "a"),
    ("blobstore lst", 2, "Did you mean `list`?"),
    ("heartbeats PATH /x", 2, "unknown command `heartbeats PATH`"),
    ("monitor one -i 0", 2, "'0'"),
]


class AdministrationTest(InstallationCase):
    """See the module."""

    def test_should_call_upstreams_class_with_its_options_when_all_is_well(self):
        for arguments, main_class, expected in CASES:
            with self.subTest(arguments):
                call = self.call(*arguments.split())
                self.assertEqual(PACKAGE + main_class, call.main_class)
                self.assertEqual(expected.split(), call.main_arguments)
                self.assertTrue(call.launched)

    def test_should_call_our_class_when_dependencies_are_asked_for(self):
        for arguments, expected in (("blobstore dependencies", []), ("blobstore dependencies --remove", ["--remove"])):
            with self.subTest(arguments):
                call = self.call(*arguments.split())
                self.assertEqual("io.eyewall.core.security.DependenciesCommand", call.main_class)
                self.assertEqual(expected, call.main_arguments)

    def test_should_say_what_is_wrong_when_an_argument_is_refused(self):
        for arguments, exit_code, word in REFUSED:
            with self.subTest(arguments):
                self.assert_fails(self.storm(*arguments.split()), exit_code, word)
        self.assertEqual([], self.calls())

    def test_should_ask_java_once_when_a_command_needs_no_configuration_value(self):
        self.call("list")
        self.assertEqual(1, len(self.calls()))

    def test_should_pass_configuration_on_wherever_it_stands(self):
        config = self.directory / "my storm.yaml"
        config.write_text("# mine\n", "utf-8")
        for arguments in (["-c", "a=1", "kill", "one", "--config", config, "-storm_config_opts", "b=x, y"],
                          ["--config", config, "kill", "-c", "a=1", "one", "-c", "b=x, y"]):
            with self.subTest(arguments):
                call = self.call(*arguments)
                self.assertEqual("a%3D1,b%3Dx%2C+y", call.property("storm.options"))
                self.assertEqual(str(config), call.property("storm.conf.file"))
                self.assertEqual(["one"], call.main_arguments)

    def test_should_use_the_libraries_of_daemons_and_the_clients_configuration(self):
        (self.user_home / ".storm").mkdir()
        call = self.call("list")
        expected = [str(self.home / name) for name in ("*", "lib/*", "extlib/*", "extlib-daemon/*", "conf", "bin")]
        self.assertEqual(expected, call.class_path)
        (self.user_home / ".storm" / "storm.yaml").write_text("# mine\n", "utf-8")
        self.assertEqual(str(self.user_home / ".storm"), self.call("list").class_path[4])

    def test_should_show_the_command_and_keep_stack_traces_when_debugging(self):
        result = self.storm("list", "--debug")
        self.assertTrue(result.stderr.startswith("Running: "), result.stderr)
        self.assertEqual("true", self.calls()[-1].property("eyewall.command.debug"))


if __name__ == "__main__":
    unittest.main()
