"""The dashboard for Grafana and the rules for Prometheus: they name only metrics that there are."""

import json
import re
import unittest

from support import CHECKOUT

MONITORING = CHECKOUT / "deploy" / "monitoring"
# What Prometheus puts behind the name of a histogram or summary.
PART = re.compile(r"_(bucket|count|sum)$")


def described():
    """The metrics of the reference, by their names in Prometheus."""
    page = (CHECKOUT / "docs" / "reference" / "metrics.md").read_text("utf-8")
    cells = re.findall(r"^\| `([^`]+)` \|", page, re.MULTILINE)
    names = {name if name.startswith("eyewall_") else "storm_" + re.sub(r"[^a-zA-Z0-9_]", "_", name) for name in cells}
    # A name may end with that of a topology.
    return {re.sub(r"_TOPOLOGY$", "_", name) for name in names}


def named(text):
    """The metrics that an expression uses."""
    return {PART.sub("", name) for name in re.findall(r"\b(?:eyewall|storm)_\w+", text)}


class MonitoringTest(unittest.TestCase):
    """See the module."""

    def setUp(self):
        self.dashboard = json.loads((MONITORING / "dashboard.json").read_text("utf-8"))
        self.alerts = (MONITORING / "alerts.yaml").read_text("utf-8")

    def test_should_name_only_metrics_that_the_reference_has(self):
        for panel in self.dashboard["panels"]:
            for target in panel["targets"]:
                with self.subTest(panel["title"]):
                    self.assertEqual(1, len(named(target["expr"])), target["expr"])
                    self.assertLessEqual(named(target["expr"]), described())
        variables = {one["name"]: one for one in self.dashboard["templating"]["list"]}
        self.assertLessEqual(named(variables["topology"]["query"]), described())
        self.assertLessEqual({"eyewall_hop_latency_histogram_seconds", "storm_slo_topologies_missed"}, named(self.alerts))
        self.assertLessEqual(named(self.alerts), described())

    def test_should_show_every_metric_of_the_cluster_and_of_latencies(self):
        shown = set().union(*(named(target["expr"]) for panel in self.dashboard["panels"] for target in panel["targets"]))
        left_out = {"eyewall_hop_latency_seconds", "storm_slo_utility", "storm_slo_utility_max"}
        wanted = {name for name in described() if name.startswith(("eyewall_", "storm_slo_", "storm_cluster_"))}
        self.assertEqual(wanted - left_out, shown)

    def test_should_lay_panels_out_beside_each_other(self):
        taken = set()
        for panel in self.dashboard["panels"]:
            place = panel["gridPos"]
            cells = {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}
            self.assertEqual(set(), taken & cells, panel["title"])
            self.assertLessEqual(place["x"] + place["w"], 24)
            taken |= cells
        self.assertEqual(len(self.dashboard["panels"]), len({panel["id"] for panel in self.dashboard["panels"]}))

    def test_should_have_the_rules_of_the_page(self):
        page = (CHECKOUT / "docs" / "how-to" / "alert-with-prometheus.md").read_text("utf-8")
        rules = re.search(r"```yaml\n(groups:.*?)```", page, re.DOTALL)[1]
        self.assertIn(rules, self.alerts)


if __name__ == "__main__":
    unittest.main()
