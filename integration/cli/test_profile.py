"""The sub-command that shows where workers spend their time."""

import unittest

from support import InstallationCase

MAIN_CLASS = "io.eyewall.web.profile.ProfileCommand"

# arguments of bin/storm, arguments of the main class
CASES = [
    ("profile one", "one"),
    ("profile one split", "one split"),
    ("profile --seconds 3600 one host:6700 -o out.jfr", "--seconds 3600 -o out.jfr one host:6700"),
    ("profile one --event wall", "--event wall one"),
    ("profile one --output out.html", "-o out.html one"),
]

REFUSED = [
    ("profile", "topology-name"),
    ("profile one split three", "three"),
    ("profile one --seconds 0", "'0' is not a whole number from 1 to 3600"),
    ("profile one --seconds 3601", "'3601' is not a whole number from 1 to 3600"),
    ("profile one --seconds soon", "'soon' is not a whole number"),
    ("profile one --event heat", "'heat' is none of cpu, wall, lock, alloc"),
    ("profile one -o picture.png", "'picture.png' does not end with .html or .jfr"),
]


class ProfileTest(InstallationCase):
    """See the module."""

    def test_should_call_our_class_with_its_options_when_all_is_well(self):
        for arguments, expected in CASES:
            self.assert_calls(arguments, MAIN_CLASS, expected)

    def test_should_say_what_is_wrong_when_an_argument_is_refused(self):
        self.assert_refused(REFUSED)


if __name__ == "__main__":
    unittest.main()
