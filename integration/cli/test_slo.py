"""The sub-command for service level objectives."""

import unittest

from support import InstallationCase

MAIN_CLASS = "io.eyewall.scheduler.command.SloCommand"

# arguments of bin/storm, arguments of the main class
CASES = [
    ("slo", ""),
    ("slo list", "list"),
    ("slo orders other", "orders other"),
    ("slo set orders latency.ms=50 utility.max=10", "set orders latency.ms=50 utility.max=10"),
    ("slo history", "history"),
    ("slo history orders --plot out.svg", "--plot out.svg history orders"),
]

REFUSED = [
    ("slo set", "needs a topology and what to set"),
    ("slo set orders", "needs a topology and what to set"),
    ("slo set orders latency.ms", "'latency.ms' is not of the form KEY=VALUE"),
    ("slo list orders", "orders cannot be given with it"),
    ("slo orders --plot out.svg", "--plot draws the history"),
]


class SloTest(InstallationCase):
    """See the module."""

    def test_should_call_our_class_with_its_options_when_all_is_well(self):
        for arguments, expected in CASES:
            self.assert_calls(arguments, MAIN_CLASS, expected)

    def test_should_say_what_is_wrong_when_an_argument_is_refused(self):
        self.assert_refused(REFUSED)


if __name__ == "__main__":
    unittest.main()
