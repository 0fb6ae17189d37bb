"""storm demo, with processes that stand for the cluster and the live table."""

import re
import signal
import subprocess
import time
import unittest

from support import TIMEOUT_S, ClusterCase

from eyewall_cli import processes


class DemoTest(ClusterCase):
    """See the module."""

    def setUp(self):
        super().setUp()
        (self.home / "examples" / "eyewall-examples.jar").write_bytes(b"")
        self.out_dir = self.user_home / ".eyewall" / "demo"

    def demo(self, *arguments, **environment):
        """Starts storm demo without waiting for its end."""
        process = subprocess.Popen(self.line("demo", *arguments), cwd=self.directory, env={**self.environment, **environment},
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
        self.addCleanup(process.kill)
        return process

    def assert_clean(self):
        """No process and no scratch file is left."""
        self.assertEqual([], self.running())
        left = {path.name for path in self.out_dir.iterdir()} if self.out_dir.is_dir() else set()
        self.assertLessEqual(left, {".lock", "logs"})

    def main_calls(self, name):
        """The calls of a main class."""
        return [call for call in self.calls() if call.main_class.endswith(name)]

    def test_should_submit_show_and_stop_when_all_goes_well(self):
        text = self.directory / "text.txt"
        text.write_text("a line\n", "utf-8")
        self.out_dir.mkdir(parents=True)
        for name in ("storm.hlog", "demo.svg"):
            (self.out_dir / name).write_text("of an earlier one", "utf-8")
        result = self.storm("demo", "--input", "text.txt", "--rate", 50, "--seconds", 7, "--topology", "wordcount", "-c", "topology.x=1")
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertIn("summary", result.stdout)
        listing, *submissions = self.main_calls("examples.Main")
        self.assertEqual(["--list"], listing.main_arguments)
        tables = self.main_calls("LiveTable")
        owns = ("acking%3Dacker", "queue%3Dshared")
        for name, submission, table, own in zip(("storm", "eyewall"), submissions, tables, owns, strict=True):
            self.assertEqual(["wordcount", "wordcount-" + name], submission.main_arguments)
            options = submission.property("storm.options")
            for option in ("eyewall.rate.per.sec%3D50", "eyewall.parallelism.count%3D4", "eyewall.input%3D" + str(text).replace("/", "%2F"),
                           own, "topology.x%3D1"):
                self.assertIn(option, options)
            self.assertEqual(name == "storm", "--followed" in table.main_arguments)
            value = dict(zip(table.main_arguments[::2], table.main_arguments[1::2]))
            self.assertEqual(("7", "50", str(self.out_dir), name),
                             (value["--seconds"], value["--rate"], value["--out"], value["--name"]))
            self.assertEqual(None if name == "storm" else "storm", value.get("--against"))
            self.assertIn("eyewall.measure.dir%3D" + value["--dir"].replace("/", "%2F"), options)
        self.assertEqual([["-w", "0", "wordcount-storm"], ["-w", "0", "wordcount-eyewall"]],
                         [call.main_arguments for call in self.main_calls("KillTopology")])
        self.assert_clean()

    def test_should_start_the_web_interface_when_asked_for_it(self):
        result = self.storm("demo", "--ui")
        self.assertEqual(0, result.returncode, result.stderr)
        address = re.search(r"In a browser, as long as the cluster runs: http://localhost:\d+/\n", result.stdout)
        self.assertIsNotNone(address, result.stdout)
        self.assertLess(address.start(), result.stdout.index("With Storm's acking"))
        self.assertEqual((1, 1), (len(self.main_calls("UiDaemon")), len(self.main_calls("LogviewerServer"))))
        self.assertNotIn("In a browser", self.storm("demo").stdout)
        self.assert_clean()

    def test_should_keep_earlier_results_until_it_measures(self):
        self.out_dir.mkdir(parents=True)
        log = self.out_dir / "storm.hlog"
        log.write_text("of an earlier one", "utf-8")
        self.assertEqual(1, self.storm("demo", FAKE_JAVA_FAIL="Supervisor:no memory").returncode)
        self.assertTrue(log.is_file())
        self.assertEqual(1, self.storm("demo", FAKE_JAVA_FAIL="LiveTable:bad").returncode)
        self.assertFalse(log.is_file())

    def test_should_copy_standard_input_to_a_file(self):
        text = self.directory / "text.txt"
        text.write_text("a line\n", "utf-8")
        with open(text, "rb") as stdin:
            result = self.storm("demo", "--input", "-", stdin=stdin)
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertIn("standard-input.txt", self.main_calls("examples.Main")[1].property("storm.options"))
        self.assert_fails(self.storm("demo", "--input", "-"), 1, "standard input has no line of text")
        self.assert_clean()

    def test_should_refuse_what_it_cannot_show(self):
        self.assert_fails(self.storm("demo", "--topology", "nosuch"), 1, "no example 'nosuch'", "processing, wordcount")
        self.assert_fails(self.storm("demo", "--input", "nosuch.txt"), 1, "no such file: nosuch.txt")
        (self.directory / "blank.txt").write_text(" \n\n", "utf-8")
        self.assert_fails(self.storm("demo", "--input", "blank.txt"), 1, "blank.txt has no line of text")
        self.assert_fails(self.storm("demo", "--seconds", 0), 2, "'0'")
        (self.home / "examples" / "eyewall-examples.jar").unlink()
        self.assert_fails(self.storm("demo"), 1, "holds no jar")

    def test_should_leave_nothing_running_when_a_step_fails(self):
        for step, words in (("Supervisor:no memory", ["no memory"]), ("LiveTable:bad", ["exit code 1"]),
                            ("KillTopology:storm: no Nimbus. Start it.", ["no Nimbus. Start it."])):
            with self.subTest(step):
                result = self.storm("demo", FAKE_JAVA_FAIL=step)
                self.assertEqual(1, result.returncode)
                for word in words:
                    self.assertIn(word, result.stderr)
                self.assertIn("The cluster's logs: ", result.stderr)
                self.assertTrue((self.out_dir / "logs" / "nimbus.out").is_file())
                self.assert_clean()

    def test_should_show_the_summary_and_leave_nothing_running_when_interrupted(self):
        for number, exit_code in ((signal.SIGINT, 0), (signal.SIGTERM, 143)):
            process = self.demo(FAKE_JAVA_TABLE="wait")
            self.assertTrue(processes.wait_until(lambda: self.main_calls("LiveTable"), TIMEOUT_S))
            process.send_signal(number)
            output, errors = process.communicate(timeout=TIMEOUT_S)
            self.assertEqual(exit_code, process.returncode, errors)
            self.assertIn("summary", output)
            self.assertEqual("", errors)
            self.assertEqual(1, len(self.main_calls("LiveTable")), "the second half goes without saying")
            self.assert_clean()
            self.forget_calls()

    def test_should_leave_nothing_running_wherever_it_is_interrupted(self):
        for step in ("DevZookeeper", "Nimbus", "Supervisor", "ClusterStatus", "examples.Main", "KillTopology"):
            with self.subTest(step):
                process = self.demo()
                self.assertTrue(processes.wait_until(lambda step=step: self.main_calls(step), TIMEOUT_S), step)
                process.send_signal(signal.SIGTERM)
                # A second signal must not get in the way of cleaning up.
                time.sleep(0.05)
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=TIMEOUT_S)
                # On a busy machine both signals may come before the first one is handled.
                self.assertIn(process.returncode, (143, 130, 0))
                self.assert_clean()
                self.forget_calls()

    def test_should_refuse_to_run_twice_at_a_time(self):
        process = self.demo(FAKE_JAVA_TABLE="wait")
        self.assertTrue(processes.wait_until(lambda: self.main_calls("LiveTable"), TIMEOUT_S))
        self.assert_fails(self.storm("demo"), 1, "another demo is running")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=TIMEOUT_S)
        self.assert_clean()


if __name__ == "__main__":
    unittest.main()
