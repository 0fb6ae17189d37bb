"""How processes are recognised and ended."""

import os
import signal
import subprocess
import sys
import unittest
import uuid

from support import InstallationCase

from eyewall_cli import processes
from eyewall_cli.processes import ProcessIdentity


class ProcessesTest(InstallationCase):
    """See the module."""

    def start(self, code="import time; time.sleep(600)", **environment):
        """Starts a Python process that does not outlive the test."""
        process = subprocess.Popen([sys.executable, "-c", code], env={**os.environ, **environment}, stdout=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def test_should_recognise_a_process_by_id_and_start_time(self):
        process = self.start()
        identity = ProcessIdentity.of(process.pid)
        identity.write(self.directory / "pid")
        self.assertEqual(identity, ProcessIdentity.read(self.directory / "pid"))
        self.assertTrue(identity.is_alive)

    def test_should_not_take_a_later_process_with_the_same_id_for_it(self):
        process = self.start()
        earlier = ProcessIdentity(process.pid, ProcessIdentity.of(process.pid).start_time - 1)
        self.assertFalse(earlier.is_alive)
        processes.end([earlier], 5)
        self.assertIsNone(process.poll())

    def test_should_take_a_process_that_waits_to_be_collected_for_dead(self):
        process = self.start("pass")
        identity = ProcessIdentity.of(process.pid)
        self.assertTrue(processes.wait_until(lambda: ProcessIdentity.of(process.pid) is None, 30))
        self.assertFalse(identity is not None and identity.is_alive)

    def test_should_know_no_process_where_there_is_no_legible_file(self):
        self.assertIsNone(ProcessIdentity.read(self.directory / "nosuch"))
        (self.directory / "pid").write_text("12\n", "ascii")
        self.assertIsNone(ProcessIdentity.read(self.directory / "pid"))

    def test_should_find_marked_processes_and_their_children(self):
        mark = uuid.uuid4().hex
        parent = self.start("import subprocess, sys; child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']);"
                            "print(child.pid, flush=True); child.wait()", **{processes.MARKER: mark})
        self.start(**{processes.MARKER: mark + "0"})
        child = int(parent.stdout.readline())
        self.assertTrue(processes.wait_until(lambda: {p.pid for p in processes.marked(mark)} == {parent.pid, child}, 30))
        processes.end(processes.marked(mark), 10)
        self.assertEqual([], processes.marked(mark))

    def test_should_kill_what_does_not_end_when_asked(self):
        process = self.start("import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('ready', flush=True);"
                             "time.sleep(600)")
        process.stdout.readline()
        processes.end([ProcessIdentity.of(process.pid)], 0.5)
        self.assertEqual(-signal.SIGKILL, process.wait(30))

    def test_should_end_a_child_with_all_it_started_when_the_block_is_left(self):
        mark = uuid.uuid4().hex
        code = "import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']); time.sleep(600)"
        with self.assertRaises(KeyError):
            with processes.child([sys.executable, "-c", code], env={**os.environ, processes.MARKER: mark}):
                self.assertTrue(processes.wait_until(lambda: len(processes.marked(mark)) == 2, 30))
                raise KeyError
        self.assertTrue(processes.wait_until(lambda: not processes.marked(mark), 30))


if __name__ == "__main__":
    unittest.main()
