"""What bin/test counts."""

import os
import shutil
import subprocess
import sys
import unittest

from support import CHECKOUT, TIMEOUT_S, InstallationCase

REPORT = """<testsuite name="io.A" time="12.3">
  <testcase classname="io.A" name="shouldPass"/>
  <testcase classname="io.A" name="shouldBeSkipped"><skipped message="no engine&#10;answers"/></testcase>
  {}
</testsuite>
"""
FAILED = """<testcase classname="io.A" name="shouldFail"><failure message="three were expected"/></testcase>
  <testcase classname="io.A" name="shouldEnd"><error/></testcase>"""
FLAKY = """<testcase classname="io.A" name="shouldPassAtLast"><flakyFailure message="too late&#10;by far"/></testcase>
  <testcase classname="io.A" name="shouldEndAtLast"><flakyError type="java.io.IOException"/></testcase>"""
PYTHON_TEST = """import unittest
class OneTest(unittest.TestCase):
    def test_should_pass(self):
        pass
"""
FLAKY_TEST = """import os, pathlib, unittest
class FlakyTest(unittest.TestCase):
    def test_should_pass_at_last(self):
        sign = pathlib.Path(os.environ["MEETING"]) / "second"
        if not sign.exists():
            sign.touch()
            self.fail("too late")
"""
LONG_TEST = """import os, unittest
class LongTest(unittest.TestCase):
    if os.environ.get("EYEWALL_LONG"):
        def test_should_pass_in_a_long_run(self):
            pass
"""
# Passes only if the other file's test runs at the same time.
WAITING_TEST = """import os, pathlib, time, unittest
class WaitingTest(unittest.TestCase):
    def test_should_meet_the_other(self):
        (pathlib.Path(os.environ["MEETING"]) / "{mine}").touch()
        deadline = time.monotonic() + 60
        while not (pathlib.Path(os.environ["MEETING"]) / "{other}").exists():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)
"""
# Builds nothing, and then reports for one module, as `mvn -pl` does, and leaves all others alone.
MAVEN = """import os, pathlib, sys, time
if "clean" in sys.argv:
    sys.exit(int(os.environ.get("BUILD_EXIT", "0")))
reports = pathlib.Path("built/target/surefire-reports")
reports.mkdir(parents=True, exist_ok=True)
(reports / "TEST-io.A.xml").write_text(os.environ["REPORT"], "utf-8")
if "UPSTREAM" in os.environ:
    (reports / "upstream-tests.txt").write_text(os.environ["UPSTREAM"], "utf-8")
    (reports.parent / "on-upstream").mkdir(exist_ok=True)
    (reports.parent / "on-upstream" / "TEST-A.xml").write_text(os.environ["REPORT"], "utf-8")
if "MEETING_MAVEN" in os.environ:
    # Goes on only if a test in Python runs beside the tests in Java.
    (pathlib.Path(os.environ["MEETING"]) / "maven").touch()
    deadline = time.monotonic() + 60
    while not (pathlib.Path(os.environ["MEETING"]) / "one").exists():
        if time.monotonic() > deadline:
            sys.exit("no test in Python runs")
        time.sleep(0.05)
sys.exit(int(os.environ["MAVEN_EXIT"]))
"""


class CountingTest(InstallationCase):
    """A copy of bin/test in a tree of its own, with stand-ins for all tools."""

    def setUp(self):
        super().setUp()
        self.tree = self.directory / "tree"
        (self.tree / "bin").mkdir(parents=True)
        shutil.copy(CHECKOUT / "bin" / "test", self.tree / "bin" / "test")
        (self.tree / "integration" / "cli").mkdir(parents=True)
        (self.tree / "integration" / "containers").mkdir()
        shutil.copy(CHECKOUT / "integration" / "containers" / "engine.py", self.tree / "integration" / "containers")
        (self.tree / "integration" / "cli" / "test_one.py").write_text(PYTHON_TEST, "utf-8")
        self.tools = self.directory / "tools"
        for name in ("git", "gcc", "redis-server", "ip", "fi_info", "nft", "chromium", "systemd-analyze"):
            self.program(self.tools / name, "")
        self.program(self.tools / "javac", "print('javac 17.0.1')")
        self.program(self.tools / "mvn", MAVEN)

    def run_copy(self, report="", maven_exit=0, arguments=("-pl", "built"), **environment):
        """Runs it; returns its exit code and output."""
        result = subprocess.run([sys.executable, self.tree / "bin" / "test", *arguments], cwd=self.tree, check=False,
                                env={"PATH": f"{self.tools}{os.pathsep}{os.environ['PATH']}", "REPORT": REPORT.format(report),
                                     "MAVEN_EXIT": str(maven_exit), **environment},
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=5 * TIMEOUT_S)
        return result.returncode, result.stdout

    def test_should_run_the_soak_alone_for_as_long_as_told(self):
        exit_code, output = self.run_copy(arguments=("--soak", "60"))
        self.assertEqual((0, "1 passed, 0 failed, 1 skipped"), (exit_code, output.splitlines()[-1]), output)
        self.assertIn("-Dit.test=*Soak", output)
        self.assertIn("-Deyewall.soak.secs=60", output)
        exit_code, output = self.run_copy(arguments=("--soak", "an hour"))
        self.assertEqual((1, "bin/test: --soak an hour: expected a number of seconds, as in bin/test --soak 7200.\n"), (exit_code, output))

    def test_should_run_the_long_tests_only_when_asked_to(self):
        (self.tree / "integration" / "cli" / "test_long.py").write_text(LONG_TEST, "utf-8")
        exit_code, output = self.run_copy(arguments=("--long", "-pl", "built"))
        self.assertEqual((0, "3 passed, 0 failed, 1 skipped"), (exit_code, output.splitlines()[-1]), output)
        for goal in ("clean package -DskipTests", "verify"):
            self.assertIn(f" {goal} -Deyewall.tests=any() | none() -Deyewall.fuzz.inputs=1000000 "
                          "-Deyewall.simulation.seeds=500 -pl built\n", output)
        output = self.run_copy()[1]
        self.assertNotIn("eyewall.tests", output)
        self.assertEqual("2 passed, 0 failed, 1 skipped", output.splitlines()[-1])

    def test_should_count_what_maven_and_python_ran(self):
        exit_code, output = self.run_copy()
        self.assertEqual((0, "2 passed, 0 failed, 1 skipped"), (exit_code, output.splitlines()[-1]), output)
        self.assertIn("skipped: io.A.shouldBeSkipped: no engine\n", output)

    def test_should_say_where_the_time_went(self):
        lines = self.run_copy()[1].splitlines()
        self.assertRegex(lines[-4], r"^The build took \d+\.\d min; the tests in Java took \d+\.\d min; "
                                    r"those in Python after them took \d+\.\d min\. The slowest:$")
        self.assertEqual("    12 s  A", lines[-3])
        self.assertIn("test_one.OneTest.test_should_pass", lines[-2])

    def test_should_run_the_tests_of_the_handbook_beside_all_others(self):
        for name, other in (("one", "handbook"), ("handbook", "one")):
            (self.tree / "integration" / "cli" / f"test_{name}.py").write_text(WAITING_TEST.format(mine=name, other=other), "utf-8")
        exit_code, output = self.run_copy(MEETING=str(self.directory))
        self.assertEqual((0, "3 passed, 0 failed, 1 skipped"), (exit_code, output.splitlines()[-1]), output)

    def test_should_run_the_tests_in_python_beside_those_in_java(self):
        (self.tree / "integration" / "cli" / "test_one.py").write_text(WAITING_TEST.format(mine="one", other="maven"), "utf-8")
        exit_code, output = self.run_copy(MEETING=str(self.directory), MEETING_MAVEN="")
        self.assertEqual((0, "2 passed, 0 failed, 1 skipped"), (exit_code, output.splitlines()[-1]), output)

    def test_should_set_podman_up_only_for_a_run_of_everything(self):
        self.program(self.tools / "docker", "raise SystemExit(1)")
        self.program(self.tools / "dpkg-query", "")
        self.program(self.tools / "podman", "raise SystemExit('Error: the kernel has no namespaces')")
        # The host's own rules are those of the containers of other tests, and its lock may be theirs.
        self.program(self.tools / "iptables", "")
        environment = {"XDG_CACHE_HOME": str(self.directory / "cache"), "HOME": str(self.user_home)}
        exit_code, output = self.run_copy(arguments=(), **environment)
        self.assertEqual(0, exit_code, output)
        self.assertIn("No containers: podman info: Error: the kernel has no namespaces", output)
        self.assertNotIn("from Debian's packages", output)
        exit_code, output = self.run_copy(**environment)
        self.assertEqual(0, exit_code, output)
        self.assertNotIn("No containers", output)

    def test_should_run_a_test_in_python_that_fails_once_more(self):
        (self.tree / "integration" / "cli" / "test_two.py").write_text(FLAKY_TEST, "utf-8")
        exit_code, output = self.run_copy(MEETING=str(self.directory))
        self.assertEqual((0, "3 passed, 0 failed, 1 skipped"), (exit_code, output.splitlines()[-1]), output)
        self.assertIn("AssertionError: too late", output)
        self.assertIn("passed the second time: test_two.FlakyTest.test_should_pass_at_last\n", output)

    def test_should_fail_when_a_test_in_python_fails_twice(self):
        for failing in (PYTHON_TEST.replace("pass\n", "self.fail()\n"),
                        PYTHON_TEST.replace("    def", "    @classmethod\n    def setUpClass(cls):\n        raise OSError('none')\n    def"),
                        "import missing_module\n"):
            (self.tree / "integration" / "cli" / "test_one.py").write_text(failing, "utf-8")
            exit_code, output = self.run_copy()
            self.assertEqual((1, True), (exit_code, ", 1 failed, 1 skipped" in output.splitlines()[-1]), output)
            self.assertNotIn("passed the second time", output)

    def test_should_name_and_count_failures(self):
        exit_code, output = self.run_copy(FAILED, 1)
        self.assertEqual((1, "2 passed, 2 failed, 1 skipped"), (exit_code, output.splitlines()[-1]), output)
        self.assertIn("failed: io.A.shouldFail: three were expected\n", output)

    def test_should_name_what_passed_only_the_second_time(self):
        exit_code, output = self.run_copy(FLAKY)
        self.assertEqual((0, "4 passed, 0 failed, 1 skipped"), (exit_code, output.splitlines()[-1]), output)
        self.assertIn("passed the second time: io.A.shouldPassAtLast: too late\n", output)
        self.assertIn("passed the second time: io.A.shouldEndAtLast: java.io.IOException\n", output)
        for plugin in ("surefire", "failsafe"):
            self.assertIn(f" -D{plugin}.rerunFailingTestsCount=1 ", output)

    def test_should_show_the_outcome_of_upstreams_own_tests_without_counting_them(self):
        exit_code, output = self.run_copy(UPSTREAM="Upstream's own tests: passed on both: 700\n")
        self.assertEqual((0, "2 passed, 0 failed, 1 skipped"), (exit_code, output.splitlines()[-1]), output)
        self.assertIn("\nUpstream's own tests: passed on both: 700\n", output)

    def test_should_say_so_when_the_build_fails_outside_the_tests(self):
        exit_code, output = self.run_copy(maven_exit=1)
        self.assertEqual(1, exit_code)
        self.assertIn("The build failed outside the tests", output)

    def test_should_run_no_test_when_the_build_fails(self):
        exit_code, output = self.run_copy(BUILD_EXIT="1")
        self.assertEqual((1, "The build failed: see Maven's output above. No test has run."), (exit_code, output.splitlines()[-1]), output)
        self.assertNotIn(" verify ", output)

    def test_should_forget_what_earlier_runs_reported_of_other_modules(self):
        for kind in ("surefire", "failsafe"):
            old = self.tree / "deep" / "other" / "target" / f"{kind}-reports"
            old.mkdir(parents=True)
            (old / "TEST-io.Old.xml").write_text(REPORT.format(FAILED), "utf-8")
        exit_code, output = self.run_copy()
        self.assertEqual((0, "2 passed, 0 failed, 1 skipped"), (exit_code, output.splitlines()[-1]), output)


if __name__ == "__main__":
    unittest.main()
