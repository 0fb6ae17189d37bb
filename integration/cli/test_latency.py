"""The sub-commands that show latencies."""

import unittest

from support import InstallationCase

TABLE = "io.eyewall.tail.command.LatencyCommand"
PLOT = "io.eyewall.core.report.LatencyPlotCommand"

# arguments of bin/storm, main class, arguments of the main class
CASES = [
    ("latency one", TABLE, "one"),
    ("latency one --watch", TABLE, "--watch one"),
    ("latency --interval 10 one --component split", TABLE, "--component split --interval 10 one"),
    ("back-pressure one", "io.eyewall.core.pressure.BackPressureCommand", "one"),
    ("latency-plot a.hlog -o out.svg", PLOT, "-o out.svg a.hlog"),
    ("latency-plot --tag e2e --output out.png a.hlog b.hlog --title Both", PLOT, "-o out.png --tag e2e --title Both a.hlog b.hlog"),
]

REFUSED = [
    ("latency", "topology-name"),
    ("latency one two", "two"),
    ("latency one --interval 0", "'0' is not a whole number from 1"),
    ("latency one --interval soon", "'soon'"),
    ("back-pressure", "topology-name"),
    ("latency-plot -o out.svg", "file"),
    ("latency-plot a.hlog --colour red", "--colour"),
]


class LatencyTest(InstallationCase):
    """See the module."""

    def test_should_call_our_class_with_its_options_when_all_is_well(self):
        for arguments, main_class, expected in CASES:
            self.assert_calls(arguments, main_class, expected)

    def test_should_say_what_is_wrong_when_an_argument_is_refused(self):
        self.assert_refused(REFUSED)

    def test_should_ask_the_cluster_that_the_user_chose(self):
        config = self.directory / "storm.yaml"
        config.write_text("# mine\n", "utf-8")
        call = self.call("--config", config, "latency", "one", "-c", "a=1")
        self.assertEqual("a%3D1", call.property("storm.options"))
        self.assertEqual(str(config), call.property("storm.conf.file"))
        self.assertEqual(str(self.home / "conf"), call.class_path[-1])


if __name__ == "__main__":
    unittest.main()
