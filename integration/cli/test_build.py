"""Building what a checkout lacks, and storm bench."""

import fcntl
import os
import shutil
import subprocess
import unittest

from support import CHECKOUT, TIMEOUT_S, InstallationCase

MAVEN = """
import os, shutil, sys
from pathlib import Path
if "-f" in sys.argv:
    if os.environ.get("OFFLINE"):
        print("[ERROR] Failed to collect dependencies: repo.maven.apache.org: Unknown host -> [Help 1]")
        sys.exit(1)
    lib = Path(sys.argv[sys.argv.index("-f") + 1]) / "target" / "flink-2.3.0" / "lib"
    lib.mkdir(parents=True)
    (lib / "integration-peers-0.1.0.jar").touch()
    sys.exit()
print("[INFO] Building storm-client 0.1.0                          [1/2]", flush=True)
print("[INFO] Downloaded from central: x.jar")
print("[INFO] Building distribution 0.1.0                          [2/2]")
if os.environ.get("MAVEN_FAILS"):
    print(os.environ["MAVEN_FAILS"])
    print("[ERROR] Failed to execute goal x: cannot compile -> [Help 1]")
    print("[ERROR] more")
    sys.exit(1)
home = next(Path("storm-core/distribution/target").glob("eyewall-*"))
for name in ("lib", "lib-tools", "lib-worker", "conf", "examples"):
    (home / name).mkdir(parents=True, exist_ok=True)
"""


class BuildTest(InstallationCase):
    """A checkout without an installation, and stand-ins for Maven and the compiler."""

    def setUp(self):
        super().setUp()
        self.checkout = self.directory / "checkout"
        self.copy_command(self.checkout)
        shutil.copy(CHECKOUT / "pom.xml", self.checkout / "pom.xml")
        self.program(self.java_home / "bin" / "javac", "print('javac 17.0.1')")
        self.program(self.directory / "maven" / "mvn", MAVEN)
        self.environment["PATH"] = f"{self.directory / 'maven'}:{self.environment['PATH']}"
        version = self.storm("list", root=self.checkout).stderr.split("eyewall-")[1].split("/")[0]
        self.built = self.checkout / "storm-core" / "distribution" / "target" / f"eyewall-{version}"
        self.built.mkdir(parents=True)

    def test_should_build_what_is_missing_and_show_the_modules(self):
        result = self.storm("bench", "--list", root=self.checkout)
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertIn("  [1/2] storm-client 0.1.0\n  [2/2] distribution 0.1.0\nBuilt in ", result.stdout)
        self.assertIn("Downloaded", (self.checkout / "target" / "build.log").read_text("utf-8"))

    def test_should_name_the_commit_of_a_checkout_to_the_benchmark(self):
        self.program(self.directory / "maven" / "git", "import sys\nprint('v1-dirty' if sys.argv[1:] == "
                     f"['-C', '{self.checkout}', 'describe', '--always', '--dirty'] else 'wrong')")
        self.assertEqual(0, self.storm("bench", "--list", root=self.checkout).returncode)
        call = self.call("bench", "all", root=self.checkout)
        self.assertEqual(["--commit", "v1-dirty"], call.main_arguments[-2:])
        self.assertEqual(1, self.call("bench", "all", "--commit", "mine", root=self.checkout).main_arguments.count("--commit"))

    def test_should_measure_without_a_commit_where_git_has_none(self):
        self.program(self.directory / "maven" / "git", "import sys\nsys.exit('fatal: not a git repository')")
        self.assertEqual(0, self.storm("bench", "--list", root=self.checkout).returncode)
        self.assertNotIn("--commit", self.call("bench", "all", root=self.checkout).main_arguments)

    def test_should_fetch_flink_once_and_only_for_the_benchmarks_beside_it(self):
        peers = self.checkout / "integration" / "peers"
        peers.mkdir(parents=True)
        shutil.copy(CHECKOUT / "integration" / "peers" / "pom.xml", peers / "pom.xml")
        self.assertEqual(0, self.storm("bench", "--list", root=self.checkout).returncode)
        self.assertNotIn("--flink-home", self.call("bench", "all", root=self.checkout).main_arguments)
        self.assertFalse((peers / "target").exists())
        offline = self.storm("bench", "peers/chain", root=self.checkout, OFFLINE="1")
        self.assert_fails(offline, 1, "there is no Flink with the benchmark's jobs", "mirror in ~/.m2/settings.xml", "--flink-home",
                          "Unknown host", "build.log")
        for _ in range(2):
            arguments = self.call("bench", "peers/chain", root=self.checkout).main_arguments
            self.assertEqual(str(peers / "target" / "flink-2.3.0"), arguments[arguments.index("--flink-home") + 1])
        self.assertNotIn("--flink-home", self.call("bench", "peers", "--ab", "a", "b", root=self.checkout).main_arguments)

    def test_should_tell_mavens_first_error_when_the_build_fails(self):
        result = self.storm("demo", root=self.checkout, MAVEN_FAILS="[INFO] ---")
        self.assert_fails(result, 1, "the build failed: Failed to execute goal x: cannot compile.", "build.log")

    def test_should_tell_the_cause_and_not_the_heading_above_it(self):
        result = self.storm("demo", root=self.checkout, MAVEN_FAILS="[ERROR] COMPILATION ERROR : \n[INFO] ---\n[ERROR] \n"
                            "[ERROR] /src/Orders.java:[3,5] cannot find symbol")
        self.assert_fails(result, 1, "the build failed: /src/Orders.java:[3,5] cannot find symbol. The whole output: ", "build.log")

    def test_should_wait_for_another_build_and_use_what_it_has_built(self):
        lock = os.open(self.checkout, os.O_RDONLY)
        self.addCleanup(os.close, lock)
        fcntl.flock(lock, fcntl.LOCK_EX)
        with subprocess.Popen(self.line("bench", "--list", root=self.checkout), env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, encoding="utf-8") as waiting:
            try:
                self.assertEqual("Another build of this checkout is running; waiting for it.\n", waiting.stdout.readline())
                for directory in (*(self.built / name for name in ("lib", "lib-tools", "lib-worker", "conf")),
                                  self.checkout / "integration" / "upstream" / "target" / "storm-2.8.3" / "lib"):
                    directory.mkdir(parents=True)
                fcntl.flock(lock, fcntl.LOCK_UN)
                output, _ = waiting.communicate(timeout=TIMEOUT_S)
            finally:
                waiting.kill()
        self.assertEqual(0, waiting.returncode)
        self.assertNotIn("Building", output)
        self.assertEqual(["--list"], self.calls()[-1].main_arguments[:1])

    def test_should_name_what_to_install_when_tools_are_missing(self):
        empty = self.directory / "empty"
        empty.mkdir()
        self.assert_fails(self.storm("demo", root=self.checkout, PATH=str(empty), JAVA_HOME=""), 1, "JDK 17 or newer and Maven",
                          "openjdk-17-jdk-headless maven")
        self.program(self.java_home / "bin" / "javac", "print('javac 11.0.2')")
        self.assert_fails(self.storm("demo", root=self.checkout), 1, "JDK 17 or newer.", f"JAVA_HOME is {self.java_home}")


class BenchTest(InstallationCase):
    """storm bench in an installation."""

    def test_should_hand_its_arguments_to_the_java_side(self):
        call = self.call("bench", "chain/ack/2w", "--rounds", "5", "--ab", "a.yaml", "b.yaml", "-c", "x")
        self.assertEqual("io.eyewall.integration.bench.BenchCommand", call.main_class)
        self.assertEqual(["chain/ack/2w", "--rounds", "5", "--ab", "a.yaml", "b.yaml", "-c", "x", "--eyewall-home", str(self.home), "--out",
                          str(self.user_home / ".eyewall" / "bench")], call.main_arguments)
        self.assertEqual([str(self.home / "lib" / "*"), str(self.home / "lib-tools" / "*")], call.class_path)

    def test_should_keep_what_the_user_chose(self):
        call = self.call("bench", "all", "--upstream-home", "/opt/storm", "--out", "here")
        self.assertEqual(["all", "--upstream-home", "/opt/storm", "--out", "here", "--eyewall-home", str(self.home)], call.main_arguments)

    def test_should_say_so_when_the_tools_are_missing(self):
        shutil.rmtree(self.home / "lib-tools")
        self.assert_fails(self.storm("bench", "all"), 1, "lib-tools is missing")


if __name__ == "__main__":
    unittest.main()
