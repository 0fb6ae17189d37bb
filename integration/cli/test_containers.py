"""Where bin/test finds an engine for containers."""

import json
import subprocess
import sys
import unittest

from support import CHECKOUT, TIMEOUT_S, InstallationCase

ENGINE = CHECKOUT / "integration" / "containers"
# Prints the environment that the tests get, and whether an engine answers at the end of the setting up.
USE = """import json, os, threading
import engine
with engine.docker_api() as environment:
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            thread.join()
    answers = os.path.exists(environment.get("DOCKER_HOST", "unix://nowhere")[len("unix://"):])
print(json.dumps([environment, answers]))
"""
# Notes each call; makes the socket when it is to serve, and fails in what FAILING names.
PODMAN = """import os, pathlib, sys, time
with open(os.environ["CALLS"], "a") as calls:
    print(" ".join(sys.argv[1:]), file=calls)
if os.environ.get("FAILING") in sys.argv[1:2]:
    sys.exit("Error: the kernel has no namespaces")
if sys.argv[1:3] == ["system", "service"]:
    pathlib.Path(sys.argv[-1][len("unix://"):]).touch()
    time.sleep(60)
"""
# Once a container has run, there are rules as podman leaves them. Notes what it deletes.
IPTABLES = """import os, pathlib, sys
table = sys.argv[sys.argv.index("--table") + 1]
if sys.argv[-1] == "-S":
    print("-P INPUT ACCEPT\\n-N MINE\\n-A INPUT -j MINE")
    calls = pathlib.Path(os.environ["CALLS"])
    if table == "filter" and calls.exists() and "run --rm" in calls.read_text():
        print('-N NETAVARK_FORWARD\\n-A FORWARD -m comment --comment "netavark rules" -j NETAVARK_FORWARD')
        print("-A NETAVARK_FORWARD -s 10.88.0.0/16 -j ACCEPT")
else:
    with open(os.environ["CALLS"], "a") as calls:
        print("iptables " + " ".join(sys.argv[sys.argv.index("--table") + 1:]), file=calls)
"""


class EngineTest(InstallationCase):
    """With stand-ins for docker, podman and dpkg-query."""

    def setUp(self):
        super().setUp()
        self.tools = self.directory / "tools"
        self.calls = self.directory / "podman-calls"
        self.program(self.tools / "docker", "raise SystemExit(1)")
        self.program(self.tools / "dpkg-query", "")
        self.program(self.tools / "podman", PODMAN)
        self.program(self.tools / "iptables", IPTABLES)

    def use(self, **more):
        """What docker_api yields, whether an engine answers, and what is printed."""
        environment = {"PATH": f"{self.tools}:{self.environment['PATH']}", "PYTHONPATH": str(ENGINE), "CALLS": str(self.calls),
                       "XDG_CACHE_HOME": str(self.directory / "cache"), "PYTHONDONTWRITEBYTECODE": "1", **more}
        result = subprocess.run([sys.executable, "-c", USE], env=environment, capture_output=True, encoding="utf-8", timeout=TIMEOUT_S,
                                check=True)
        return (*json.loads(result.stdout.splitlines()[-1]), result.stderr)

    def test_should_leave_an_engine_that_answers_alone(self):
        self.program(self.tools / "docker", "")
        self.assertEqual(({}, False, ""), self.use())
        self.assertFalse(self.calls.exists())

    def test_should_start_podman_and_end_it(self):
        environment, answers, problems = self.use()
        self.assertEqual("", problems)
        self.assertTrue(answers)
        self.assertTrue(environment["CONTAINERS_STORAGE_CONF"].startswith(f"{self.directory}/cache/eyewall/containers/"))
        self.assertTrue(environment["DOCKER_HOST"].startswith(f"unix://{self.directory}/cache/eyewall/containers/"))
        calls = self.calls.read_text("utf-8").splitlines()
        served = next(number for number, call in enumerate(calls) if call.startswith("system service"))
        self.assertEqual(2, len([call for call in calls[:served] if call.startswith("run --rm --publish 127.0.0.1::")]))
        self.assertIn("rm --all --force --time 0 --volumes", calls[served:])

    def test_should_remove_the_rules_that_podman_leaves_and_no_others(self):
        self.use()
        self.assertEqual(["iptables filter -D FORWARD -m comment --comment netavark rules -j NETAVARK_FORWARD",
                          "iptables filter -D NETAVARK_FORWARD -s 10.88.0.0/16 -j ACCEPT",
                          "iptables filter -X NETAVARK_FORWARD"],
                         [call for call in self.calls.read_text("utf-8").splitlines() if call.startswith("iptables ")])

    def test_should_say_why_when_no_container_runs(self):
        environment, answers, problems = self.use(FAILING="run")
        self.assertIn("DOCKER_HOST", environment)
        self.assertFalse(answers)
        self.assertEqual("No containers: podman run --rm: Error: the kernel has no namespaces\n", problems)

    def test_should_say_why_when_podman_does_not_serve(self):
        _, answers, problems = self.use(FAILING="system")
        self.assertFalse(answers)
        self.assertRegex(problems, r"^No containers: podman system service does not answer; see \S+/service\.log\n$")


if __name__ == "__main__":
    unittest.main()
