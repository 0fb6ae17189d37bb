"""The manifests for Kubernetes: they suit the schemas of several of its versions, and say what the daemons need."""

import json
import os
import re
import shutil
import stat
import subprocess
import tempfile
import unittest
from pathlib import Path

from manifests import MANIFESTS, TIMEOUT_S, VERSIONS, environment, mismatches, objects, run, version
from support import CHECKOUT

KUSTOMIZATIONS = ("base", "overlays/trial", "overlays/autoscale")
# What docs/how-to/run-in-containers.md counts for a worker.
BESIDE_THE_HEAP_MIB = 250


class ManifestsTest(unittest.TestCase):
    """What `kubectl apply -k` would send."""

    @classmethod
    def setUpClass(cls):
        cls.programs = environment()
        cls.directory = Path(tempfile.mkdtemp(prefix="eyewall-kubernetes-"))
        cls.files, cls.resources = {}, {}
        for name in KUSTOMIZATIONS:
            file = cls.directory / (name.replace("/", "-") + ".yaml")
            file.write_text(run(cls.programs / "kubectl", "kustomize", MANIFESTS / name), "utf-8")
            cls.files[name] = file
            cls.resources[name] = objects(cls.programs, file.read_text("utf-8"))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory, ignore_errors=True)

    def pods(self, name):
        """The templates of all pods, by kind and name."""
        return {key: one["spec"]["template"] for key, one in self.resources[name].items() if key.startswith(("StatefulSet", "Deployment"))}

    def test_should_suit_the_schemas(self):
        for schemas in VERSIONS:
            for name, file in self.files.items():
                with self.subTest(f"{name} in {schemas}"):
                    self.assertEqual([], mismatches(self.programs, schemas, file, len(self.resources[name])))

    def test_should_refuse_what_no_schema_allows(self):
        file = self.directory / "wrong.yaml"
        file.write_text(self.files["base"].read_text("utf-8").replace("maxUnavailable: 1", "maxUnavailabel: 1"), "utf-8")
        self.assertNotEqual([], mismatches(self.programs, VERSIONS[0], file, len(self.resources["base"])))

    def test_should_run_every_container_without_rights_and_with_probes(self):
        for name in KUSTOMIZATIONS:
            for key, template in self.pods(name).items():
                with self.subTest(f"{name}: {key}"):
                    self.assertTrue(template["spec"]["securityContext"]["runAsNonRoot"])
                    self.assertEqual("eyewall", template["spec"]["serviceAccountName"])
                    self.assertFalse(template["spec"]["enableServiceLinks"], "variables of Kubernetes's could look like Storm's keys")
                    self.assertEqual("eyewall", template["metadata"]["labels"]["app.kubernetes.io/part-of"], "the network policy's label")
                    for container in template["spec"]["containers"]:
                        self.assertTrue(container["securityContext"]["readOnlyRootFilesystem"])
                        self.assertLessEqual({"startupProbe", "readinessProbe", "livenessProbe"}, set(container))
                        ports = {port["name"] for port in container["ports"]}
                        self.assertIn(container["readinessProbe"]["tcpSocket"]["port"], ports)
                        self.assertEqual("eyewall" if name == "base" else f"localhost/eyewall:{version()}", container["image"])
                        self.assertLessEqual({"/tmp", "/var/lib/storm", "/var/log/storm", "/etc/storm"},
                                             {mount["mountPath"] for mount in container["volumeMounts"]})

    def test_should_take_the_image_that_an_overlay_of_the_users_names(self):
        overlay = self.directory / "overlay"
        overlay.mkdir()
        kustomization = {"apiVersion": "kustomize.config.k8s.io/v1beta1", "kind": "Kustomization",
                         "resources": [os.path.relpath(MANIFESTS / "base", overlay.resolve())],
                         "images": [{"name": "eyewall", "newName": "registry.example/eyewall", "newTag": "1.0"}]}
        (overlay / "kustomization.yaml").write_text(json.dumps(kustomization), "utf-8")
        images = re.findall(r"image: (.*)", run(self.programs / "kubectl", "kustomize", overlay))
        self.assertEqual(["registry.example/eyewall:1.0"] * len(self.pods("base")), images)

    def test_should_let_clients_reach_every_port_that_is_for_them(self):
        table = (CHECKOUT / "docs" / "reference" / "files-and-ports.md").read_text("utf-8")
        rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if line.count("|") == 6]
        ports = {int(port) for row in rows if re.search("clients|browsers", row[3]) for port in re.findall(r"\d+", row[0])
                 if not (row[0].endswith("3773") and port == "3773")}
        rules = self.resources["base"]["NetworkPolicy/eyewall"]["spec"]["ingress"]
        clients = {port["port"] for port in rules[1]["ports"]}
        self.assertEqual({6627, 8080, 8000, 3772, 3774}, clients)
        self.assertEqual(ports, clients)
        self.assertNotIn("ports", rules[0], "between the cluster's pods, TCP and UDP")
        opened = {port["port"] for port in rules[2]["ports"]}
        for name in KUSTOMIZATIONS:
            for key, template in self.pods(name).items():
                for port in template["spec"]["containers"][0]["ports"]:
                    if port["name"] == "metrics":
                        self.assertIn(port["containerPort"], opened, f"{name}: {key}")

    def test_should_drain_a_supervisor_before_its_pod_ends(self):
        pod = self.pods("base")["StatefulSet/supervisor"]["spec"]
        container = pod["containers"][0]
        drain = container["lifecycle"]["preStop"]["exec"]["command"][-1]
        self.assertEqual('storm drain "$STORM_LOCAL_HOSTNAME" --timeout 300', drain)
        self.assertGreater(pod["terminationGracePeriodSeconds"], 300)
        self.assertIn({"name": "STORM_LOCAL_HOSTNAME", "value": "$(POD_NAME).supervisor"}, container["env"])

    def test_should_name_the_pods_of_nimbus_as_seeds(self):
        nimbus = self.resources["base"]["StatefulSet/nimbus"]["spec"]
        seeds = ", ".join(f"nimbus-{number}.{nimbus['serviceName']}" for number in range(nimbus["replicas"]))
        self.assertIn(f"nimbus.seeds: [{seeds}]", (MANIFESTS / "base" / "storm.yaml").read_text("utf-8"))
        self.assertIn("volumeClaimTemplates", nimbus)

    def test_should_give_workers_a_heap_that_fits_into_a_slot(self):
        environment = self.pods("base")["StatefulSet/supervisor"]["spec"]["containers"][0]["env"]
        slot_mib = next(int(variable["value"]) for variable in environment if variable["name"] == "SLOT_MIB")
        options = re.search(r"^worker\.childopts: .*-Xmx(\d+)m\b", (MANIFESTS / "base" / "storm.yaml").read_text("utf-8"), re.M)
        self.assertLessEqual(int(options[1]) + BESIDE_THE_HEAP_MIB, slot_mib)

    def test_should_scale_the_supervisors_on_the_figure_that_nimbus_exports(self):
        scaler = self.resources["overlays/autoscale"]["HorizontalPodAutoscaler/supervisor"]["spec"]
        self.assertEqual("supervisor", scaler["scaleTargetRef"]["name"])
        metric = scaler["metrics"][0]["external"]["metric"]["name"]
        self.assertIn(f"`{metric}`", (CHECKOUT / "docs" / "reference" / "metrics.md").read_text("utf-8"))
        self.assertNotIn("replicas", self.resources["overlays/autoscale"]["StatefulSet/supervisor"]["spec"])


class SupervisorScriptTest(unittest.TestCase):
    """The script that counts a Supervisor's slots."""

    def start(self, cpus, memory_mib):
        """Runs it with a `storm` that shows what it gets."""
        with tempfile.TemporaryDirectory() as directory:
            storm = Path(directory, "storm")
            storm.write_text('#!/bin/sh\necho "$@ $STORM_SUPERVISOR_SLOTS_PORTS $STORM_SUPERVISOR_CPU_CAPACITY '
                             '$STORM_SUPERVISOR_MEMORY_CAPACITY_MB"\n', "ascii")
            storm.chmod(storm.stat().st_mode | stat.S_IXUSR)
            return subprocess.run(["sh", MANIFESTS / "base" / "supervisor.sh"], check=False, capture_output=True, encoding="utf-8",
                                  timeout=TIMEOUT_S, env={"PATH": f"{directory}:{os.environ['PATH']}", "CPUS": str(cpus),
                                                          "MEMORY_MIB": str(memory_mib), "SLOT_MIB": "1024"})

    def test_should_have_as_many_slots_as_cpus_or_as_fit_into_memory(self):
        for cpus, memory_mib, expected in ((2, 3072, "[6700, 6701] 200.0 2048.0"), (4, 3072, "[6700, 6701] 400.0 2048.0"),
                                           (1, 8192, "[6700] 100.0 1024.0")):
            with self.subTest(cpus=cpus, memory_mib=memory_mib):
                self.assertEqual(f"supervisor {expected}\n", self.start(cpus, memory_mib).stdout)

    def test_should_say_what_is_wrong_when_no_worker_fits(self):
        done = self.start(2, 2047)
        self.assertEqual(1, done.returncode)
        self.assertIn("a memory limit of 2047 MiB has no room", done.stderr)


if __name__ == "__main__":
    unittest.main()
