"""The sub-command that grows and shrinks topologies."""

import unittest

from support import InstallationCase

MAIN_CLASS = "io.eyewall.scheduler.command.ScaleCommand"

# arguments of bin/storm, arguments of the main class
CASES = [
    ("scale one --out 1", "--out 1 one"),
    ("scale --in 2 one --strategy ds2", "--in 2 --strategy ds2 one"),
    ("scale one --out 3 --dry-run", "--out 3 --dry-run one"),
    ("scale one --out 3 --wait", "--out 3 --wait one"),
    ("scale --log", "--log"),
    ("scale one --log", "--log one"),
]

REFUSED = [
    ("scale", "which topology"),
    ("scale --out 1", "which topology"),
    ("scale one", "either --out or --in"),
    ("scale one --out 1 --in 1", "either --out or --in"),
    ("scale one two --out 1", "two"),
    ("scale one --out 0", "'0' is not a whole number from 1"),
    ("scale one --in -1", "'-1'"),
    ("scale one --out many", "'many' is not a whole number from 1"),
    ("scale one --out 1 --strategy magic", "'magic' is not a strategy: there are etp, ds2"),
    ("scale one --log --out 1", "--out cannot be given with it"),
]


class ScalingTest(InstallationCase):
    """See the module."""

    def test_should_call_our_class_with_its_options_when_all_is_well(self):
        for arguments, expected in CASES:
            self.assert_calls(arguments, MAIN_CLASS, expected)

    def test_should_say_what_is_wrong_when_an_argument_is_refused(self):
        self.assert_refused(REFUSED)


if __name__ == "__main__":
    unittest.main()
