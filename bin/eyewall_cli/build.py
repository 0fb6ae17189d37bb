"""Builds what a checkout does not hold yet, with progress on the terminal."""

import fcntl
import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager

from .errors import CommandError
from .processes import child

MODULE = re.compile(r"^\[INFO\] Building (.+?)\s+\[(\d+)/(\d+)\]")
# Maven resets colours even where it uses none.
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
OLDEST_JDK = 17


def require_tools(environment):
    """Stops with the names of what is missing."""
    path = environment.get("PATH")
    java_home = environment.get("JAVA_HOME")
    javac = shutil.which("javac", path=f"{java_home}/bin" if java_home else path)
    missing = []
    if javac is None or _major_version(javac, environment) < OLDEST_JDK:
        missing.append(("JDK 17 or newer", "openjdk-17-jdk-headless"))
    if shutil.which("mvn", path=path) is None:
        missing.append(("Maven", "maven"))
    if missing:
        names = " and ".join(name for name, _ in missing)
        packages = " ".join(package for _, package in missing)
        raise CommandError(f"the build needs {names}. Install it (Debian, Ubuntu: apt-get install {packages})"
                           + (f"; JAVA_HOME is {java_home}." if java_home else "."))


def _major_version(javac, environment):
    process = subprocess.run([javac, "-version"], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                             check=False)
    number = re.search(r"(\d+)", process.stdout)
    return int(number.group(1)) if number else 0


def build(root, environment, is_built):
    """
    Runs Maven in a checkout unless it is built, which the function `is_built` says; one line per module on the terminal, all of Maven's
    output in target/build.log.
    """
    with _alone(root):
        if not is_built():
            _maven(root, environment, ["mvn", "-B", "-DskipTests", "package"], "the build failed")


def build_peers(root, environment):
    """Fetches Flink and compiles the benchmark's jobs for it, unless that is done and newer than its sources. Returns the installation."""
    peers = root / "integration" / "peers"
    sources = [peers / "pom.xml", *peers.glob("src/**/*.java"), *root.glob("examples/src/main/java/io/eyewall/examples/measuring/*.java")]
    with _alone(peers):
        built = next(peers.glob("target/flink-*/lib/integration-peers-*.jar"), None)
        if built is None or any(_written(source) > _written(built) for source in sources):
            _maven(root, environment, ["mvn", "-B", "-f", str(peers), "clean", "package"],
                   "there is no Flink with the benchmark's jobs. Flink comes from Maven Central, once: connect this machine, name a mirror "
                   "in ~/.m2/settings.xml, or copy another checkout's integration/peers/target and name its flink-... with --flink-home. "
                   "Maven says")
            built = next(peers.glob("target/flink-*/lib/integration-peers-*.jar"))
    return built.parent.parent


@contextmanager
def _alone(directory):
    """
    Keeps builds of a directory apart: a second one waits until the first has ended, and then looks whether anything is still missing. The
    directory itself is locked, since a build may remove files in it. Where the file system has no locks, nobody waits.
    """
    lock = os.open(directory, os.O_RDONLY)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Another build of this checkout is running; waiting for it.", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        except OSError:
            pass
        yield
    finally:
        os.close(lock)


def _written(file):
    return file.stat().st_mtime


def _maven(root, environment, line, failure):
    require_tools(environment)
    log = root / "target" / "build.log"
    log.parent.mkdir(exist_ok=True)
    print(f"Building what is missing: {' '.join(line)}", flush=True)
    progress = _Progress()
    with open(log, "w", encoding="utf-8") as output, \
            child(line, cwd=root, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                  encoding="utf-8", errors="replace") as process:
        for coloured in process.stdout:
            text = COLOURS.sub("", coloured)
            output.write(text)
            progress.take(text)
        failed = process.wait() != 0
    progress.finish()
    if failed:
        raise CommandError(f"{failure}: {progress.error or 'Maven gave no reason'} The whole output: {log}.")


class _Progress:
    """What the terminal shows of Maven's output: modules, and for a terminal how many files were downloaded so far."""

    def __init__(self):
        self.error = None
        self._start = time.monotonic()
        self._module = "Maven"
        self._downloads = 0
        self._terminal = sys.stdout.isatty()

    def take(self, text):
        """Looks at one line of output."""
        module = MODULE.match(text)
        if module:
            name, number, count = module.groups()
            self._module = f"[{number}/{count}] {name}"
            self._downloads = 0
            print(("\r\033[K  " if self._terminal else "  ") + self._module, end="" if self._terminal else "\n", flush=True)
        elif text.startswith("[INFO] Downloaded from") or text.startswith("Downloaded from"):
            self._downloads += 1
            if self._terminal:
                print(f"\r\033[K  {self._module}: {self._downloads} files downloaded", end="", flush=True)
        elif text.startswith("[ERROR]") and self.error is None:
            cause = text[len("[ERROR]"):].split(" -> [Help")[0].strip().rstrip(".")
            # A line that ends with a colon, such as "COMPILATION ERROR :", is the heading of those that follow.
            if cause and not cause.endswith(":"):
                self.error = cause + "."

    def finish(self):
        """Ends the line and prints the time."""
        print(("\r\033[K" if self._terminal else "") + f"Built in {time.monotonic() - self._start:.0f} s.", flush=True)
