"""The sub-command that shows what is in the stored state of topologies."""

import unittest

from support import InstallationCase

MAIN_CLASS = "io.eyewall.core.security.StateCommand"


class StateTest(InstallationCase):
    """See the module."""

    def test_should_call_our_class_with_the_jar_in_its_class_path(self):
        jar = self.jar()
        for arguments, expected in (("orders", "orders"), ("orders sums-2 sums-3", "orders sums-2 sums-3"),
                                    ("orders --register a.B,a.C", "--register a.B,a.C orders")):
            self.assert_calls(f"state {jar} {arguments}", MAIN_CLASS, expected)
            self.assertIn(jar, self.calls()[-1].class_path)

    def test_should_say_what_is_wrong_when_an_argument_is_refused(self):
        self.assert_fails(self.storm("state"), 2, "topology-jar-path")
        self.assert_fails(self.storm("state", self.jar()), 2, "topology-name")
        self.assert_fails(self.storm("state", "nosuch.jar", "orders"), 1, "no such file: nosuch.jar")
        self.assertEqual([], self.calls())


if __name__ == "__main__":
    unittest.main()
