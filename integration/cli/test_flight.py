"""What the Supervisor runs to profile a worker, on a process of Java's."""

import os
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from support import CHECKOUT, TIMEOUT_S

from eyewall_cli.session import Session

WORKER = """
public class Worker {
    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            // It ends with this one, whose end of a pipe it reads.
            new ProcessBuilder("java", "-Xmx32m", "-Dchild.of=storm", args[0]).start().getInputStream().read();
        }
        System.out.println("ready");
        System.in.read();
    }
}
"""


class FlightTest(unittest.TestCase):
    """See the module."""

    def setUp(self):
        self.logs = Path(tempfile.mkdtemp(prefix="storm flight-"))
        self.addCleanup(shutil.rmtree, self.logs, ignore_errors=True)
        source = self.logs / "Worker.java"
        source.write_text(WORKER, "utf-8")
        self.worker = self.begin()

    def begin(self, *arguments):
        """A process that waits."""
        # pylint: disable=consider-using-with
        self.worker = subprocess.Popen(["java", "-Xmx32m", "-Dparent.of=storm", str(self.logs / "Worker.java"), *arguments], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE)
        self.addCleanup(self.end, self.worker)
        self.assertEqual(b"ready\n", self.worker.stdout.readline())
        return self.worker

    def container(self):
        """A process that has started another one of Java's."""
        self.worker = self.begin(str(self.logs / "Worker.java"))

    @staticmethod
    def end(process):
        """Leaves no process behind."""
        process.kill()
        process.communicate()

    def flight(self, action, *directory, **environment):
        """Runs the script as the Supervisor does; it never fails."""
        environment = {**{name: value for name, value in os.environ.items() if name != "EYEWALL_ASYNC_PROFILER"}, **environment}
        process = subprocess.run([str(CHECKOUT / "bin" / "flight.bash"), str(self.worker.pid), action, *map(str, directory)],
                                 cwd=self.logs, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                                 timeout=2 * TIMEOUT_S, check=False)
        self.assertEqual(0, process.returncode, process.stdout + process.stderr)

    def files(self, pattern):
        """What has been written under such names."""
        return sorted(self.logs.glob(pattern))

    def failure(self):
        """The only report of a failure."""
        reports = self.files("profile-failed-*.txt")
        self.assertEqual(1, len(reports), reports)
        return reports[0].read_text("utf-8")

    def assert_both(self, recording):
        """A recording has a container and its child: their system properties are in it."""
        for name in (b"parent.of", b"child.of"):
            self.assertIn(name, recording.read_bytes())

    def test_should_write_a_recording_when_it_ends_and_once_only(self):
        self.flight("start")
        self.flight("start")
        self.flight("dump", self.logs)
        self.assertEqual(1, len(self.files("recording-*.jfr")))
        # Names hold the second.
        time.sleep(1)
        self.flight("stop", self.logs)
        self.assertEqual(2, len(self.files("recording-*.jfr")))
        for recording in self.files("recording-*.jfr"):
            self.assertEqual(b"FLR\0", recording.read_bytes()[:4])
        self.flight("stop", self.logs)
        self.assertEqual(2, len(self.files("recording-*.jfr")))
        self.assertEqual([], self.files("profile-failed-*") + self.files("*.tmp"))

    def test_should_write_stacks_and_heap_and_end_the_process(self):
        self.flight("jstack", self.logs)
        self.assertIn("Worker.main", self.files("jstack-*.txt")[0].read_text("utf-8"))
        self.flight("jmap", self.logs)
        self.assertEqual(b"JAVA PROFILE", self.files("heap-*.bin")[0].read_bytes()[:12])
        self.flight("kill")
        self.assertEqual(-9, self.worker.wait(TIMEOUT_S))

    def test_should_profile_the_processes_that_a_container_has_started(self):
        self.container()
        self.flight("start")
        self.flight("stop", self.logs)
        recording, = self.files("recording-*.jfr")
        self.assert_both(recording)
        self.flight("jstack", self.logs)
        self.assertEqual(2, self.files("jstack-*.txt")[0].read_text("utf-8").count('"main" '))
        self.flight("jmap", self.logs)
        self.assertEqual(2, len(self.files("heap-*.bin")))

    def test_should_record_everything_at_once_with_async_profiler(self):
        machine = {"x86_64": "linux-x64", "aarch64": "linux-arm64"}.get(os.uname().machine, "none")
        library = Session(CHECKOUT).home / "external" / "async-profiler" / machine / "libasyncProfiler.so"
        if not library.is_file():
            self.skipTest(f"nothing is built, or async-profiler is not for this machine: {library} is missing.")
        self.container()
        self.flight("start", EYEWALL_ASYNC_PROFILER=str(library))
        self.flight("dump", self.logs, EYEWALL_ASYNC_PROFILER=str(library))
        first, = self.files("recording-*.jfr")
        # Names hold the second.
        time.sleep(1)
        self.flight("stop", self.logs, EYEWALL_ASYNC_PROFILER=str(library))
        second, = set(self.files("recording-*.jfr")) - {first}
        self.assert_both(first)
        self.assert_both(second)
        for event in (b"jdk.ExecutionSample", b"profiler.WallClockSample", b"jdk.ObjectAllocation", b"jdk.JavaMonitorEnter"):
            self.assertIn(event, second.read_bytes())
        self.assertEqual([], self.files("profile-failed-*") + self.files("*.tmp") + self.files(".recording-*"))

    def test_should_report_what_is_wrong_beside_the_logs(self):
        self.flight("start", EYEWALL_ASYNC_PROFILER="/nowhere/lib.so")
        self.assertIn("EYEWALL_ASYNC_PROFILER is /nowhere/lib.so, which cannot be read. Name async-profiler's library.", self.failure())

    def test_should_report_a_library_that_is_none(self):
        self.flight("start", EYEWALL_ASYNC_PROFILER=str(self.logs / "Worker.java"))
        self.assertIn("Worker.java was not loaded", self.failure())

    def test_should_report_that_the_process_is_gone(self):
        self.worker.kill()
        self.worker.wait(TIMEOUT_S)
        self.flight("stop", self.logs)
        self.assertIn(f"stop of process {self.worker.pid} failed: java.io.IOException: No such process\n", self.failure())

    def test_should_report_an_unknown_action(self):
        self.flight("fly")
        self.assertIn("there is no such action", self.failure())


if __name__ == "__main__":
    unittest.main()
