"""What the Supervisor runs to profile a worker, on a process of Java's."""

import os
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from support import CHECKOUT, TIMEOUT_S

WORKER = """
public class Worker {
    public static void main(String[] args) throws Exception {
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
        # pylint: disable=consider-using-with
        self.worker = subprocess.Popen(["java", "-Xmx32m", str(source)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(self.end)
        self.assertEqual(b"ready\n", self.worker.stdout.readline())

    def end(self):
        """Leaves no process behind."""
        self.worker.kill()
        self.worker.communicate()

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
