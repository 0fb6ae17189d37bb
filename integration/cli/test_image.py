"""bin/image, with a stand-in for the engine. The containers of a real image have a suite of their own, in integration/system."""

import base64
import gzip
import os
import re
import shutil
import subprocess
import sys
import tarfile
import unittest
from pathlib import Path

from support import CHECKOUT, TIMEOUT_S, InstallationCase

# Notes each call, keeps what it is to build from, and fails in what FAILING names.
ENGINE = """import os, shutil, sys
with open(os.environ["CALLS"], "a") as calls:
    print(" ".join(sys.argv[1:]), file=calls)
if sys.argv[1] in os.environ.get("FAILING", "").split():
    sys.exit("Error: refused")
if sys.argv[1] == "build":
    shutil.copytree(sys.argv[-1], os.environ["KEPT"])
"""


class ImageTest(InstallationCase):
    """In a checkout that holds a small installation."""

    def setUp(self):
        super().setUp()
        self.checkout = self.directory / "checkout"
        self.built = self.checkout / "storm-core" / "distribution" / "target" / "eyewall-1.2"
        shutil.copytree(self.home, self.built)
        (self.built / "docs").mkdir()
        for name in ("lib/one.jar", "lib-worker/one.jar", "docs/page.md", "lib/two.jar"):
            (self.built / name).write_text(Path(name).name, "utf-8")
        (self.built / "sbom.cdx.json").write_text("{}\n", "utf-8")
        self.copy_command(self.checkout)
        (self.checkout / "pom.xml").write_text("<artifactId>eyewall</artifactId>\n<revision>1.2</revision>\n", "utf-8")
        for name in ("deploy", "integration"):
            (self.checkout / name).symlink_to(CHECKOUT / name)
        self.tools = self.directory / "tools"
        self.kept = self.directory / "kept"

    def image(self, *arguments, **more):
        """Runs bin/image; returns how it ended, and the calls of the engine."""
        calls = self.directory / "engine-calls"
        environment = {**self.environment, "PATH": f"{self.tools}:{os.path.dirname(sys.executable)}:/usr/bin:/bin", "CALLS": str(calls),
                       "KEPT": str(self.kept), "PYTHONDONTWRITEBYTECODE": "1", **more}
        result = subprocess.run([sys.executable, str(self.checkout / "bin" / "image"), *arguments], env=environment, capture_output=True,
                                encoding="utf-8", timeout=TIMEOUT_S, check=False)
        return result, calls.read_text("utf-8").splitlines() if calls.exists() else []

    def test_should_build_on_the_registrys_base_what_an_installation_needs(self):
        self.program(self.tools / "podman", ENGINE)
        result, calls = self.image(FAILING="image")
        self.assertEqual((0, "localhost/eyewall:1.2\n", ""), (result.returncode, result.stdout, result.stderr))
        self.assertIn("pull --quiet docker.io/library/debian:bookworm-slim", calls)
        self.assertRegex(calls[-1], r"^build --quiet --format docker --build-arg BASE=docker\.io/library/debian:bookworm-slim "
                         r"--build-arg VERSION=1\.2 --label io\.eyewall\.sbom=\S+ --tag localhost/eyewall:1\.2 "
                         r"--file (\S+)/Containerfile \1$")
        label = re.search(r"io\.eyewall\.sbom=(\S+)", calls[-1])[1]
        self.assertEqual(b"{}\n", gzip.decompress(base64.b64decode(label)))
        self.assertEqual((CHECKOUT / "deploy" / "image" / "Containerfile").read_bytes(), (self.kept / "Containerfile").read_bytes())
        self.assertTrue((self.kept / "storm.yaml").is_file())
        with tarfile.open(self.kept / "eyewall.tar") as archive:
            members = {member.name: member for member in archive}
        self.assertIn("eyewall/bin/container", members)
        self.assertNotIn("eyewall/docs/page.md", members)
        self.assertEqual({("root", 0)}, {(member.uname, member.uid) for member in members.values()})
        self.assertEqual({0o755, 0o644}, {member.mode for member in members.values()})
        self.assertEqual("eyewall/lib/one.jar", members["eyewall/lib-worker/one.jar"].linkname)
        self.assertTrue(members["eyewall/lib/two.jar"].isfile())

    def test_should_take_the_engine_the_base_and_the_name_that_are_given(self):
        for name in ("podman", "docker", "buildah"):
            self.program(self.tools / name, ENGINE)
        result, calls = self.image("--engine", "docker", "--base", "my/base:1", "--tag", "my/storm:2")
        self.assertEqual((0, "my/storm:2\n"), (result.returncode, result.stdout), result.stderr)
        self.assertEqual("version", calls[0])
        self.assertRegex(calls[1], r"^build --quiet --build-arg BASE=my/base:1 --build-arg VERSION=1\.2 --label \S+ --tag my/storm:2 ")

    def test_should_give_files_the_same_modes_whoever_builds_it(self):
        self.program(self.tools / "podman", ENGINE)
        (self.built / "lib" / "one.jar").chmod(0o600)
        (self.built / "docs").chmod(0o700)
        self.addCleanup(os.umask, os.umask(0o077))
        result, _ = self.image("--base", "my/base:1")
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertEqual(0o644, (self.kept / "storm.yaml").stat().st_mode & 0o777)
        with tarfile.open(self.kept / "eyewall.tar") as archive:
            self.assertEqual((0o644, 0o755), (archive.getmember("eyewall/lib/one.jar").mode, archive.getmember("eyewall/lib").mode))

    def test_should_name_the_image_by_the_whole_version(self):
        self.program(self.tools / "podman", ENGINE)
        (self.checkout / "pom.xml").write_text("<artifactId>eyewall</artifactId>\n<revision>1.3-SNAPSHOT</revision>\n", "utf-8")
        self.built.rename(self.built.with_name("eyewall-1.3-SNAPSHOT"))
        result, _ = self.image("--base", "my/base:1")
        self.assertEqual("localhost/eyewall:1.3-SNAPSHOT\n", result.stdout, result.stderr)

    def test_should_build_with_the_first_engine_that_works(self):
        self.program(self.tools / "podman", "raise SystemExit(1)")
        self.program(self.tools / "docker", "raise SystemExit(1)")
        self.program(self.tools / "buildah", ENGINE)
        result, calls = self.image("--base", "my/base:1")
        self.assertEqual(0, result.returncode, result.stderr)
        self.assertTrue(calls[-1].startswith("build --quiet --format docker "), calls)

    def test_should_say_what_is_missing(self):
        for name in ("podman", "docker", "buildah"):
            self.program(self.tools / name, "raise SystemExit(1)")
        result, _ = self.image()
        self.assertEqual(1, result.returncode)
        self.assertIn("bin/image: none of these works: podman, docker, buildah. Install one", result.stderr)
        self.program(self.tools / "podman", ENGINE)
        result, _ = self.image("--base", "my/base:1", FAILING="build")
        self.assertEqual("bin/image: podman build --quiet: Error: refused\n", result.stderr)
        shutil.rmtree(self.built)
        result, _ = self.image()
        self.assertIn("bin/image: no installation: ", result.stderr)


if __name__ == "__main__":
    unittest.main()
