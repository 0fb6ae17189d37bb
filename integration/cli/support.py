"""An installation without Java inside, for tests of bin/storm."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parent.parent
sys.path.insert(0, str(CHECKOUT / "bin"))

from eyewall_cli import processes  # noqa: E402  (found only through the path above)

TIMEOUT_S = 60
# Whether tests run that take minutes and are near to another one: `bin/test --long` sets the variable.
LONG = bool(os.environ.get("EYEWALL_LONG"))


class Call:
    """One call of java."""

    def __init__(self, arguments, environment):
        self.arguments = arguments
        self.environment = environment
        position = 0
        while arguments[position].startswith("-"):
            position += 2 if arguments[position] == "-cp" else 1
        self.launched = arguments[position] == "io.eyewall.client.command.Launcher"
        position += 1 if self.launched else 0
        self.main_class = arguments[position]
        self.main_arguments = arguments[position + 1:]
        self.class_path = arguments[arguments.index("-cp") + 1].split(os.pathsep)

    def property(self, name):
        """The last value of a system property; None if it is not set."""
        values = [argument[len(name) + 3:] for argument in self.arguments if argument.startswith(f"-D{name}=")]
        return values[-1] if values else None


class InstallationCase(unittest.TestCase):
    """A test with an installation in `home`, a home directory for its user and a java that only notes its calls."""

    def setUp(self):
        self.directory = Path(tempfile.mkdtemp(prefix="storm-cli-")).resolve()
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        self.home = self.directory / "home"
        for name in ("lib", "lib-worker", "lib-tools", "extlib", "extlib-daemon", "conf", "log4j2", "examples"):
            (self.home / name).mkdir(parents=True)
        self.copy_command(self.home)
        (self.home / "conf" / "storm.yaml").write_text("# nothing\n", "utf-8")
        self.java_home = self.directory / "java"
        self.program(self.java_home / "bin" / "java", (HERE / "fake_java.py").read_text("utf-8"))
        self.calls_dir = self.directory / "calls"
        self.calls_dir.mkdir()
        self.user_home = self.directory / "user"
        self.user_home.mkdir()
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(self.user_home), "JAVA_HOME": str(self.java_home),
                            "FAKE_JAVA_CALLS": str(self.calls_dir)}

    @staticmethod
    def copy_command(root):
        """Puts bin/storm into an installation."""
        shutil.copytree(CHECKOUT / "bin", root / "bin", ignore=shutil.ignore_patterns("__pycache__", "package", "test"))

    @staticmethod
    def program(path, source):
        """Writes a Python program that can be called by its path. It needs no packages, whose lookup is most of Python's start."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!{sys.executable} -S\n{source}", "utf-8")
        path.chmod(0o755)

    def jar(self, name="topology.jar"):
        """Makes a jar and returns its path."""
        path = self.directory / name
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n")
        return str(path)

    def line(self, *arguments, root=None):
        """The command line that runs bin/storm."""
        return [sys.executable, "-S", str((root or self.home) / "bin" / "storm"), *map(str, arguments)]

    def storm(self, *arguments, root=None, stdin=subprocess.DEVNULL, **environment):
        """Runs bin/storm to its end."""
        return subprocess.run(self.line(*arguments, root=root), env={**self.environment, **environment}, cwd=self.directory,
                              stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", timeout=TIMEOUT_S,
                              check=False)

    def calls(self):
        """The calls of java so far, in their order."""
        return [Call(call["arguments"], call["environment"])
                for call in (json.loads(path.read_text("utf-8")) for path in sorted(self.calls_dir.glob("*.json")))]

    def call(self, *arguments, **environment):
        """Runs bin/storm, which must succeed, and returns its last call of java."""
        result = self.storm(*arguments, **environment)
        self.assertEqual(0, result.returncode, result.stderr)
        return self.calls()[-1]

    def assert_fails(self, result, exit_code, *words):
        """One line on standard error that holds all the words, no stack trace, and that exit code."""
        self.assertEqual(exit_code, result.returncode, result.stdout + result.stderr)
        self.assertEqual(1, len(result.stderr.splitlines()), result.stderr)
        self.assertTrue(result.stderr.startswith("storm: "), result.stderr)
        for word in words:
            self.assertIn(word, result.stderr)

    def assert_calls(self, line, main_class, expected):
        """A command line runs that class through the launcher, with these arguments."""
        with self.subTest(line):
            call = self.call(*line.split())
            self.assertEqual(main_class, call.main_class)
            self.assertEqual(expected.split(), call.main_arguments)
            self.assertTrue(call.launched)

    def assert_refused(self, cases):
        """Each command line, of pairs with a word of its message, fails before java is called."""
        for line, word in cases:
            with self.subTest(line):
                self.assert_fails(self.storm(*line.split()), 2, word)
        self.assertEqual([], self.calls())


class ClusterCase(InstallationCase):
    """A test whose stand-ins for daemons run until they are stopped."""

    def setUp(self):
        super().setUp()
        self.environment["FAKE_JAVA_SERVE"] = "1"
        self.addCleanup(self.end_all)

    def running(self):
        """The processes that this test's stand-in for java started or is."""
        entry = f"FAKE_JAVA_CALLS={self.calls_dir}".encode()
        found = []
        for name in os.listdir("/proc"):
            try:
                with open(f"/proc/{name}/environ", "rb") as environment:
                    if entry in environment.read().split(b"\0"):
                        found.append(processes.ProcessIdentity.of(int(name)))
            except (OSError, ValueError):
                continue
        return [identity for identity in found if identity is not None]

    def end_all(self):
        """Leaves nothing behind even if the test failed."""
        processes.end(self.running(), 5)

    def forget_calls(self):
        """Starts to count calls anew."""
        for path in self.calls_dir.glob("*.json"):
            path.unlink()

    def await_call(self, name):
        """Waits until java was called for a main class."""
        self.assertTrue(processes.wait_until(lambda: any(call.main_class.endswith(name) for call in self.calls()), TIMEOUT_S), name)
