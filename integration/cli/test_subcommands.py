"""The sub-commands that each call one class of ours with their options."""

import unittest

from support import InstallationCase

DRAIN = "io.eyewall.scheduler.command.DrainCommand"
SLO = "io.eyewall.scheduler.command.SloCommand"
SCALE = "io.eyewall.scheduler.command.ScaleCommand"
PROFILE = "io.eyewall.web.profile.ProfileCommand"
LATENCY = "io.eyewall.tail.command.LatencyCommand"
PLOT = "io.eyewall.core.report.LatencyPlotCommand"
BACK_PRESSURE = "io.eyewall.core.pressure.BackPressureCommand"

# arguments of bin/storm, main class, arguments of the main class
CASES = [
    ("drain host", DRAIN, "host"),
    ("drain host --timeout 60", DRAIN, "--timeout 60 host"),
    ("drain --cancel host", DRAIN, "--cancel host"),
    ("slo", SLO, ""),
    ("slo list", SLO, "list"),
    ("slo orders other", SLO, "orders other"),
    ("slo set orders latency.ms=50 utility.max=10", SLO, "set orders latency.ms=50 utility.max=10"),
    ("slo history", SLO, "history"),
    ("slo history orders --plot out.svg", SLO, "--plot out.svg history orders"),
    ("scale one --out 1", SCALE, "--out 1 one"),
    ("scale --in 2 one --strategy ds2", SCALE, "--in 2 --strategy ds2 one"),
    ("scale one --out 3 --dry-run", SCALE, "--out 3 --dry-run one"),
    ("scale one --out 3 --wait", SCALE, "--out 3 --wait one"),
    ("scale --log", SCALE, "--log"),
    ("scale one --log", SCALE, "--log one"),
    ("profile one", PROFILE, "one"),
    ("profile one split", PROFILE, "one split"),
    ("profile --seconds 3600 one host:6700 -o out.jfr", PROFILE, "--seconds 3600 -o out.jfr one host:6700"),
    ("profile one --event wall", PROFILE, "--event wall one"),
    ("profile one --output out.html", PROFILE, "-o out.html one"),
    ("latency one", LATENCY, "one"),
    ("latency one --watch", LATENCY, "--watch one"),
    ("latency --interval 10 one --component split", LATENCY, "--component split --interval 10 one"),
    ("back-pressure one", BACK_PRESSURE, "one"),
    ("latency-plot a.hlog -o out.svg", PLOT, "-o out.svg a.hlog"),
    ("latency-plot --tag e2e --output out.png a.hlog b.hlog --title Both", PLOT, "-o out.png --tag e2e --title Both a.hlog b.hlog"),
]

# arguments of bin/storm, a word of the message
REFUSED = [
    ("drain", "supervisor"),
    ("drain one two", "two"),
    ("drain host --timeout 0", "'0' is not a whole number from 1"),
    ("drain host --cancel --timeout 5", "--timeout cannot be given with it"),
    ("slo set", "needs a topology and what to set"),
    ("slo set orders", "needs a topology and what to set"),
    ("slo set orders latency.ms", "'latency.ms' is not of the form KEY=VALUE"),
    ("slo list orders", "orders cannot be given with it"),
    ("slo orders --plot out.svg", "--plot draws the history"),
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
    ("profile", "topology-name"),
    ("profile one split three", "three"),
    ("profile one --seconds 0", "'0' is not a whole number from 1 to 3600"),
    ("profile one --seconds 3601", "'3601' is not a whole number from 1 to 3600"),
    ("profile one --seconds soon", "'soon' is not a whole number"),
    ("profile one --event heat", "'heat' is none of cpu, wall, lock, alloc"),
    ("profile one -o picture.png", "'picture.png' does not end with .html or .jfr"),
    ("latency", "topology-name"),
    ("latency one two", "two"),
    ("latency one --interval 0", "'0' is not a whole number from 1"),
    ("latency one --interval soon", "'soon'"),
    ("back-pressure", "topology-name"),
    ("latency-plot -o out.svg", "file"),
    ("latency-plot a.hlog --colour red", "--colour"),
]


class SubCommandTest(InstallationCase):
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
