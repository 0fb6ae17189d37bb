"""integration/containers/measure.py: its arguments and its files. It measures only on a quiet machine, and never in a test."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import CHECKOUT, TIMEOUT_S

SCRIPT = CHECKOUT / "integration" / "containers" / "measure.py"
sys.path.insert(0, str(SCRIPT.parent))

import measure  # noqa: E402  (found only through the path above)


class MeasureTest(unittest.TestCase):
    """What needs no engine."""

    def test_should_name_what_is_wrong_with_an_argument(self):
        for arguments, problem in ((("--parts", "start,speed"), "start,speed: expected some of image,start,submit,load"),
                                   (("--rounds", "0"), "0: expected a number from 1"), (("--seconds", "x"), "x: expected a number from 1")):
            with self.subTest(problem):
                result = subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, encoding="utf-8", timeout=TIMEOUT_S,
                                        check=False)
                self.assertEqual(2, result.returncode)
                self.assertIn(problem, result.stderr)

    def test_should_write_the_rounds_of_a_side_one_after_the_other(self):
        table = measure.Table(["start_ns"], 2, "1.2")
        for number, side in measure.in_turns(2, ("processes", "containers")):
            table.add(scenario="containers/start/ui", side=side, round=number, start_ns=number * 1000, stolen_percent="0.00")
        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory, "start.csv")
            table.write(file)
            lines = [line.split(",") for line in file.read_text("utf-8").splitlines()]
        self.assertEqual(["scenario", "rate_per_s", "side", "round", "rounds", "seconds", "start_ns"], lines[0][:7])
        self.assertEqual([["processes", "1"], ["processes", "2"], ["containers", "1"], ["containers", "2"]],
                         [line[2:4] for line in lines[1:]])
        self.assertEqual({"2"}, {line[4] for line in lines[1:]})

    def test_should_give_two_clusters_no_port_in_common(self):
        ports = [{value for value in measure.daemon_ports(first).values() if isinstance(value, int)} for first in (17_300, 17_400)]
        self.assertEqual(set(), ports[0] & ports[1])
        self.assertEqual(len(measure.DAEMONS) + 2, len(ports[0]))


if __name__ == "__main__":
    unittest.main()
