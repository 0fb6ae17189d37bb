"""What a newcomer does first: every command line of the tutorial and of the README is run."""

import re
import unittest

from handbook import README, TUTORIAL, HandbookCase


class TutorialTest(HandbookCase):
    """The pages that start a cluster of their own."""

    def setUp(self):
        self.addCleanup(self.call, "dev-cluster", "stop")

    def test_should_lead_from_a_built_checkout_to_a_topology_with_a_shorter_tail(self):
        code, output = self.run_page(TUTORIAL, self.checkout, {})
        self.assertEqual(0, code, output)
        tables = re.findall(r"^end-to-end +price -> turnover +[\d,]+\*? +(.*)$", output, re.MULTILINE)
        self.assertEqual(2, len(tables), output)

    def test_should_run_the_commands_of_the_readme(self):
        code, output = self.run_page(README, self.checkout, {})
        self.assertEqual(0, code, output)


if __name__ == "__main__":
    unittest.main()
