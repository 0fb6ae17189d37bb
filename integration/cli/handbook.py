"""Runs the commands of the handbook's pages, in a checkout and a home directory of their own."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import pages
from support import CHECKOUT, HERE

from eyewall_cli import jvm
from eyewall_cli.dev_cluster import NICE
from eyewall_cli.session import Session

DOCS = CHECKOUT / "docs"
TUTORIAL = DOCS / "start" / "tutorial.md"
README = CHECKOUT / "README.md"
RUN = "sh"
PAGE_TIMEOUT_S = 1500
# What would change the machine that the tests run on, or fetch or build what is there already.
LEFT_OUT = ("sudo", "apt-get", "git", "mvn")


class HandbookCase(unittest.TestCase):
    """Tests of pages. They have a checkout of their own: links to what this one has built, and its own bin, target and home directory."""

    @classmethod
    def setUpClass(cls):
        cls.directory = Path(tempfile.mkdtemp(prefix="storm-handbook-"))
        cls.addClassCleanup(shutil.rmtree, cls.directory, ignore_errors=True)
        cls.checkout = cls.directory / "eyewall"
        cls.checkout.mkdir()
        for path in CHECKOUT.iterdir():
            if path.name not in ("bin", "target", ".git"):
                (cls.checkout / path.name).symlink_to(path)
        shutil.copytree(CHECKOUT / "bin", cls.checkout / "bin")
        # Beside the system tests, a Supervisor that steps back does not start in time.
        command = cls.checkout / "bin" / "eyewall_cli" / "dev_cluster.py"
        command.write_text(command.read_text("utf-8").replace(f'NICE = "{NICE}"', 'NICE = "0"'), "utf-8")
        cls.home = cls.directory / "user"
        cls.home.mkdir()
        cls.storm = str(cls.checkout / "bin" / "storm")
        cls.built = Session(CHECKOUT).home
        if not (cls.built / "lib").is_dir():
            raise unittest.SkipTest(f"nothing is built: {cls.built} is missing. `bin/test` builds it first.")

    @classmethod
    def environment_with(cls, more):
        """The variables of a command: those of this process except Storm's, and more."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("STORM_")}
        return {**environment, "HOME": str(cls.home), "XDG_CACHE_HOME": str(cls.home / ".cache"), "JDK_JAVA_OPTIONS": jvm.ONE_COMPILER,
                "PATH": f"{cls.checkout / 'bin'}{os.pathsep}{environment['PATH']}", **more}

    @classmethod
    def call(cls, *arguments, **more):
        """Runs one storm command."""
        return subprocess.run([sys.executable, cls.storm, *map(str, arguments)], env=cls.environment_with(more), cwd=cls.checkout,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", check=False)

    @classmethod
    def run_page(cls, page, directory, environment, wanted=lambda block: True):
        """Runs the wanted blocks of a page one after the other in one shell; returns the exit code and what was printed."""
        script = [f"storm() {{ '{sys.executable}' '{HERE / 'handbook_shell.py'}' storm \"$(type -P storm)\" \"$@\"; }}",
                  "function bin/storm { storm \"$@\"; }",
                  f"curl() {{ '{sys.executable}' '{HERE / 'handbook_shell.py'}' curl \"$WORKER_PORTS\" \"$@\"; }}"]
        script += [f"{name}() {{ echo 'left out: {name}' \"$@\"; }}" for name in LEFT_OUT]
        for block in filter(wanted, pages.blocks(page)):
            if block.title is not None:
                text = with_fewer_orders(block.text) if block.title == "Orders.java" else block.text
                script.append(f"cat > '{block.title}' <<'END-OF-FILE'\n{text}END-OF-FILE")
            elif block.language == RUN and block.not_run is None:
                script.append(f"echo '== {block}'\nset -x\n{block.text}{{ set +x; }} 2> /dev/null")
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as printed:
            # Not through a pipe: daemons in the background would hold it open.
            with subprocess.Popen(["bash", "-euo", "pipefail", "-c", "\n".join(script)], cwd=directory, env=cls.environment_with(environment),
                                  stdin=subprocess.DEVNULL, stdout=printed, stderr=subprocess.STDOUT, start_new_session=True) as process:
                try:
                    code = process.wait(timeout=PAGE_TIMEOUT_S)
                except subprocess.TimeoutExpired:
                    code = f"not done within {PAGE_TIMEOUT_S} s"
                end_group(process.pid)
            printed.seek(0)
            output = printed.read()
        record = os.environ.get("HANDBOOK_OUTPUT")
        if record:
            Path(record, page.relative_to(CHECKOUT).as_posix().replace("/", "-") + ".out").write_text(output, "utf-8")
        return code, output


def with_fewer_orders(source):
    """The tutorial's topology with an order every 20 ms instead of every millisecond: it runs beside all other tests."""
    often = "nextNs + 1_000_000,"
    if often not in source:
        raise AssertionError("Orders.java does not say how often orders come: " + often)
    return source.replace(often, "nextNs + 20_000_000,")


def end_group(group):
    """Ends what is left of a process group, daemons in the background above all."""
    try:
        os.killpg(group, signal.SIGTERM)
    except ProcessLookupError:
        pass
