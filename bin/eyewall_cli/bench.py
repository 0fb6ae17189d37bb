"""storm bench: hands its arguments to the Java side, with the two installations to compare."""

import os
import subprocess

from . import jvm
from .build import build, build_peers
from .errors import CommandError

MAIN_CLASS = "io.eyewall.integration.bench.BenchCommand"


def run(session, given):
    """Builds the installations if this is a checkout that lacks them, and becomes the Java process."""
    upstream = session.root / "integration" / "upstream" / "target" / "storm-2.8.3"
    if session.is_checkout:
        build(session.root, session.given_environment, lambda: (session.home / "lib-tools").is_dir() and (upstream / "lib").is_dir())
    installation = session.installation
    tools = installation.home / "lib-tools"
    if not tools.is_dir():
        raise CommandError(f"bench: {tools} is missing. Unpack the distribution again.")
    arguments = list(given.bench_args)
    defaults = {"--eyewall-home": installation.home, "--out": session.work_dir / "bench"}
    if (upstream / "lib").is_dir():
        defaults["--upstream-home"] = upstream
    if session.is_checkout and any(word.split("/")[0] == "peers" for word in arguments) and not {"--flink-home", "--ab"} & set(arguments):
        defaults["--flink-home"] = build_peers(session.root, session.given_environment)
    if session.is_checkout:
        defaults["--commit"] = _commit(session)
    for name, value in defaults.items():
        if value is not None and name not in arguments:
            arguments += [name, str(value)]
    class_path = os.pathsep.join(str(directory / "*") for directory in (installation.home / "lib", tools))
    line = [installation.java, "-cp", class_path, MAIN_CLASS, *arguments]
    jvm.announce(session, line)
    os.execve(line[0], line, installation.environment)


def _commit(session):
    """What the checkout is at, as git describes it: measurements name it beside the version. None without git or its history."""
    try:
        process = subprocess.run(["git", "-C", str(session.root), "describe", "--always", "--dirty"], env=session.given_environment,
                                 stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, encoding="utf-8", check=False)
    except OSError:
        return None
    return process.stdout.strip() or None
