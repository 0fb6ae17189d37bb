"""What bin/storm says of itself, and of commands that do not exist."""

import unittest

from support import InstallationCase

from eyewall_cli.declaration import DEBUG
from eyewall_cli.main import COMMANDS

UPSTREAM = """jar local kill activate deactivate list get-errors rebalance monitor set_log_level upload-credentials blobstore heartbeats admin
drpc-client shell repl node-health-check kill_workers localconfvalue remoteconfvalue classpath server_classpath version nimbus supervisor
ui logviewer drpc pacemaker dev-zookeeper""".split()
OURS = ["scale", "slo", "drain", "state", "doctor", "latency", "back-pressure", "latency-plot", "profile", "demo", "dev-cluster",
        "bench"]


class HelpTest(InstallationCase):
    """See the module."""

    def test_should_list_every_command_when_asked_for_help(self):
        for arguments in (["--help"], ["-h"], ["help"]):
            result = self.storm(*arguments)
            self.assertEqual((0, ""), (result.returncode, result.stderr))
            listed = [line.split()[0] for line in result.stdout.splitlines() if line.startswith("  ")]
            self.assertEqual(sorted(UPSTREAM + OURS), sorted(listed))

    def test_should_explain_every_command_when_asked_for_its_help(self):
        for name in UPSTREAM + OURS:
            with self.subTest(name):
                direct, through_help = self.storm(name, "--help"), self.storm("help", name)
                self.assertEqual((0, ""), (direct.returncode, direct.stderr))
                self.assertTrue(direct.stdout.startswith(f"usage: storm {name}"), direct.stdout)
                self.assertEqual(direct.stdout, through_help.stdout)

    def test_should_explain_the_commands_below_a_command(self):
        result = self.storm("help", "blobstore", "create")
        self.assertIn("--replication-factor", result.stdout)
        self.assertEqual(result.stdout, self.storm("blobstore", "create", "-h").stdout)

    def test_should_show_help_on_standard_error_and_fail_when_nothing_is_asked(self):
        result = self.storm()
        self.assertEqual((1, ""), (result.returncode, result.stdout))
        self.assertIn("usage: storm", result.stderr)

    def test_should_propose_a_command_when_it_is_mistyped(self):
        self.assert_fails(self.storm("kil", "one"), 2, "unknown command `kil`", "Did you mean `kill`?", "storm --help")
        self.assert_fails(self.storm("help", "rebalanc"), 2, "Did you mean `rebalance`?")
        self.assert_fails(self.storm("xyzzy"), 2, "unknown command `xyzzy`")

    def test_should_refuse_options_that_no_command_has(self):
        self.assert_fails(self.storm("--verbose", "list"), 2, "unknown option --verbose")
        self.assert_fails(self.storm("list", "--verbose"), 2, "--verbose")
        self.assert_fails(self.storm("-c"), 2, "-c needs a value")

    def test_should_take_abbreviations_of_options_as_argparse_does(self):
        storm_yaml = self.home / "conf" / "storm.yaml"
        call = self.call("--conf", storm_yaml, "rebalance", "one", "--num", "3", "--wait-t=9")
        self.assertEqual((str(storm_yaml), ["-w", "9", "-n", "3", "one"]), (call.property("storm.conf.file"), call.main_arguments))
        self.assertIn("usage: storm kill", self.storm("kill", "--he").stdout)
        self.assertIn("usage: storm [", self.storm("--he").stdout)

    def test_should_refuse_abbreviations_that_are_not_clear(self):
        self.assert_fails(self.storm("monitor", "one", "--co", "sink"), 2, "--co could be --component or --config")
        self.assert_fails(self.storm("jar", "--proxyU", "http://x", self.jar(), "my.Main"), 2, "--proxyUrl or --proxyUsername")

    def test_should_leave_abbreviations_to_the_users_program_behind_its_name(self):
        call = self.call("jar", "--jar", "", self.jar(), "my.Main", "name", "--conf", "x.yaml")
        self.assertEqual(["name", "--conf", "x.yaml"], call.main_arguments)

    def test_should_have_no_option_of_its_own_that_makes_upstreams_abbreviations_unclear(self):
        def check(commands):
            for command in commands:
                check(command.children)
                for name in (name for option in command.options for name in option.names if name.startswith("--")):
                    with self.subTest(command.name + " " + name):
                        self.assertFalse(name.startswith(DEBUG.names[0][:3]))
        check([command for command in COMMANDS if command.name in UPSTREAM])


if __name__ == "__main__":
    unittest.main()
