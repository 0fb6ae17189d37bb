"""The Helm chart: it makes the objects that the Kustomize manifests make, and changes of them what its values say."""

import json
import re
import tempfile
import unittest
from pathlib import Path

from manifests import MANIFESTS, VERSIONS, environment, mismatches, objects, run, version
from support import CHECKOUT

# Each kustomization, with the values that say the same.
SAME = {"base": {"image": {"repository": "eyewall"}}, "overlays/trial": {"zookeeper": {"enabled": True}},
        "overlays/autoscale": {"autoscaler": {"enabled": True}}}
CHANGED = {
    "image": {"repository": "registry.example/eyewall", "tag": "1.0", "pullSecrets": ["registry"]},
    "storm": {"storm.zookeeper.servers": ["zk-0.zk", "zk-1.zk"], "topology.acker.executors": 0, "ui.filter.params": {"big": 12345678}},
    "nimbus": {"replicas": 3, "storage": "20Gi", "storageClass": "fast", "env": {"STORM_NIMBUS_CHILDOPTS": "-Xmx700m"}},
    "supervisor": {"replicas": 5, "resources": {"requests": {"memory": "9Gi"}, "limits": {"memory": "9Gi"}}, "env": {"SLOT_MIB": "4096"},
                   "drainSecs": 30, "nodeSelector": {"disk": "ssd"}, "tolerations": [{"key": "storm", "operator": "Exists"}]},
    "zookeeper": {"enabled": True, "storage": "2Gi"},
    "autoscaler": {"enabled": True, "minReplicas": 3, "maxReplicas": 30},
}


class ChartTest(unittest.TestCase):
    """What `helm install` would send."""

    @classmethod
    def setUpClass(cls):
        cls.programs = environment()
        directory = tempfile.TemporaryDirectory(prefix="eyewall-helm-")
        cls.addClassCleanup(directory.cleanup)
        cls.directory = Path(directory.name)
        cls.changed = cls.directory / "changed.yaml"
        cls.changed.write_text(cls.template(CHANGED), "utf-8")
        cls.objects = objects(cls.programs, cls.changed.read_text("utf-8"))

    @classmethod
    def template(cls, values):
        """What Helm makes of the chart with values."""
        file = cls.directory / "values.json"
        file.write_text(json.dumps(values), "utf-8")
        return run(cls.programs / "helm", "template", "eyewall", MANIFESTS, "--values", file)

    def pod(self, key):
        """The template of the pods of an object, with changed values, and its container."""
        spec = self.objects[key]["spec"]["template"]["spec"]
        return spec, spec["containers"][0]

    @staticmethod
    def comparable(text, name):
        """Without what the two mark a changed configuration by: Kustomize by a name, Helm by an annotation."""
        if name == "base":
            text = re.sub(rf"eyewall:{re.escape(version())}\b", "eyewall", text)
        text = re.sub(r"\bname: storm-[0-9a-z]{10}$", "name: storm", text, flags=re.M)
        return re.sub(r" +annotations:\n +checksum/storm: \w+\n", "", text)

    def test_should_make_the_objects_that_kustomize_makes(self):
        for name, values in SAME.items():
            kustomized = objects(self.programs, self.comparable(run(self.programs / "kubectl", "kustomize", MANIFESTS / name), name))
            made = objects(self.programs, self.comparable(self.template(values), name))
            self.assertEqual(sorted(kustomized), sorted(made), name)
            for key, one in kustomized.items():
                with self.subTest(f"{name}: {key}"):
                    self.assertEqual(one, made[key])

    def test_should_suit_the_schemas_with_every_value_changed(self):
        for schemas in VERSIONS:
            with self.subTest(schemas):
                self.assertEqual([], mismatches(self.programs, schemas, self.changed, len(self.objects)))

    def test_should_change_the_pods_as_the_values_say(self):
        nimbus, container = self.pod("StatefulSet/nimbus")
        self.assertEqual("registry.example/eyewall:1.0", container["image"])
        self.assertEqual([{"name": "registry"}], nimbus["imagePullSecrets"])
        self.assertIn({"name": "STORM_NIMBUS_CHILDOPTS", "value": "-Xmx700m"}, container["env"])
        spec = self.objects["StatefulSet/nimbus"]["spec"]
        self.assertEqual(3, spec["replicas"])
        claim = spec["volumeClaimTemplates"][0]["spec"]
        self.assertEqual(("20Gi", "fast"), (claim["resources"]["requests"]["storage"], claim["storageClassName"]))

        supervisor, container = self.pod("StatefulSet/supervisor")
        self.assertEqual({"requests": {"cpu": "2", "memory": "9Gi"}, "limits": {"cpu": "2", "memory": "9Gi"}}, container["resources"])
        self.assertEqual(["4096"], [one["value"] for one in container["env"] if one["name"] == "SLOT_MIB"])
        self.assertEqual({"disk": "ssd"}, supervisor["nodeSelector"])
        self.assertEqual("storm", supervisor["tolerations"][0]["key"])
        self.assertIn("--timeout 30", container["lifecycle"]["preStop"]["exec"]["command"][-1])
        self.assertEqual(90, supervisor["terminationGracePeriodSeconds"])
        self.assertNotIn("replicas", self.objects["StatefulSet/supervisor"]["spec"], "the autoscaler sets them")
        scaler = self.objects["HorizontalPodAutoscaler/supervisor"]["spec"]
        self.assertEqual((3, 30), (scaler["minReplicas"], scaler["maxReplicas"]))

    def test_should_write_the_keys_into_the_configuration_and_start_pods_anew(self):
        script = "import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))"
        storm = json.loads(run(self.programs / "python", "-c", script, text=self.objects["ConfigMap/storm"]["data"]["storm.yaml"]))
        self.assertEqual(["zk-0.zk", "zk-1.zk"], storm["storm.zookeeper.servers"])
        self.assertEqual(0, storm["topology.acker.executors"])
        self.assertEqual({"big": 12345678}, storm["ui.filter.params"])
        self.assertEqual([f"nimbus-{number}.nimbus" for number in range(3)], storm["nimbus.seeds"])
        self.assertIn("-Xmx768m", storm["worker.childopts"], "of base/storm.yaml")
        marks = [objects(self.programs, self.template({"storm": {"topology.debug": debug}}))["StatefulSet/nimbus"]["spec"]["template"]
                 ["metadata"]["annotations"]["checksum/storm"] for debug in (True, False)]
        self.assertNotEqual(*marks)

    def test_should_wait_for_one_nimbus_where_there_is_one(self):
        one = objects(self.programs, self.template({"nimbus": {"replicas": 1}}))["ConfigMap/storm"]["data"]["storm.yaml"]
        self.assertIn("topology.min.replication.count: 1\n", one)

    def test_should_take_the_values_that_the_handbook_shows(self):
        page = (CHECKOUT / "docs" / "how-to" / "run-on-kubernetes.md").read_text("utf-8")
        file = self.directory / "handbook.yaml"
        file.write_text(re.search(r"```yaml\n(image: \{repository: .*?)```", page, re.S)[1], "utf-8")
        made = objects(self.programs, run(self.programs / "helm", "template", "eyewall", MANIFESTS, "--values", file))
        self.assertEqual(20, made["HorizontalPodAutoscaler/supervisor"]["spec"]["maxReplicas"])

    def test_should_name_a_value_that_it_does_not_know(self):
        for values, name in (({"supervisor": {"replica": 3}}, "replica"), ({"zookeper": {}}, "zookeper"),
                             ({"supervisor": {"env": {"SLOT_MIB": 2048}}}, "/supervisor/env/SLOT_MIB")):
            with self.subTest(name), self.assertRaisesRegex(AssertionError, name):
                self.template(values)

    def test_should_be_of_eyewalls_version_and_pass_helms_own_check(self):
        chart = (MANIFESTS / "Chart.yaml").read_text("utf-8")
        self.assertEqual([version()] * 2, re.findall(r"^(?:version|appVersion): (.*)$", chart, re.M))
        self.assertNotIn("[WARNING]", run(self.programs / "helm", "lint", MANIFESTS))

    def test_should_pack_all_that_it_needs(self):
        run(self.programs / "helm", "package", MANIFESTS, "--destination", self.directory)
        packed = self.directory / f"eyewall-{version()}.tgz"
        file = self.directory / "values.json"
        file.write_text(json.dumps(CHANGED), "utf-8")
        self.assertEqual(self.changed.read_text("utf-8"), run(self.programs / "helm", "template", "eyewall", packed, "--values", file))


if __name__ == "__main__":
    unittest.main()
