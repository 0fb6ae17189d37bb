"""The sub-command that empties a Supervisor."""

import unittest

from support import InstallationCase

MAIN_CLASS = "io.eyewall.scheduler.command.DrainCommand"

# arguments of bin/storm, arguments of the main class
CASES = [
    ("drain host", "host"),
    ("drain host --timeout 60", "--timeout 60 host"),
    ("drain --cancel host", "--cancel host"),
]

REFUSED = [
    ("drain", "supervisor"),
    ("drain one two", "two"),
    ("drain host --timeout 0", "'0' is not a whole number from 1"),
    ("drain host --cancel --timeout 5", "--timeout cannot be given with it"),
]


class DrainTest(InstallationCase):
    """See the module."""

    def test_should_call_our_class_with_its_options_when_all_is_well(self):
        for arguments, expected in CASES:
            self.assert_calls(arguments, MAIN_CLASS, expected)

    def test_should_say_what_is_wrong_when_an_argument_is_refused(self):
        self.assert_refused(REFUSED)


if __name__ == "__main__":
    unittest.main()
