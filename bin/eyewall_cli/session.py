"""What a sub-command works with: the installation, its environment, the configuration that the user chose."""

import configparser
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from .errors import CommandError, UsageError


@dataclass(frozen=True)
class Installation:
    """A directory laid out as upstream's: bin, conf, lib, lib-worker, extlib, extlib-daemon, log4j2."""

    home: Path
    conf_dir: Path
    # Where clients look for storm.yaml: ~/.storm if there is one, as upstream does.
    client_conf_dir: Path
    # What child processes get.
    environment: dict
    java: str


class Session:
    """One run of bin/storm. What is expensive or may be missing is looked up when first asked for."""

    def __init__(self, root, config=None, overrides=(), debug=False, environment=None):
        self.root = Path(root)
        self.debug = debug
        self.given_environment = dict(os.environ if environment is None else environment)
        self.overrides = [_checked(override) for override in overrides]
        self._config = config

    @property
    def is_checkout(self):
        """Whether bin/storm stands in a checkout of the source, not in an installation."""
        return not (self.root / "lib").is_dir() and (self.root / "pom.xml").is_file()

    @cached_property
    def home(self):
        """The installation's directory: this one, or the one that the checkout builds."""
        if not self.is_checkout:
            return self.root
        version = re.search(r"<revision>([^<]+)</revision>", (self.root / "pom.xml").read_text("utf-8"))
        if version is None:
            raise CommandError(f"{self.root / 'pom.xml'} names no version of eyewall. Restore it with git.")
        return self.root / "storm-core" / "distribution" / "target" / f"eyewall-{version.group(1)}"

    @property
    def work_dir(self):
        """Where demo and dev-cluster keep what they write."""
        return self.root / "target" if self.is_checkout else Path.home() / ".eyewall"

    @cached_property
    def installation(self):
        """The installation, with conf/storm-env.sh and conf/storm_env.ini applied to the environment."""
        if not (self.home / "lib").is_dir():
            remedy = ("Build it with `mvn -DskipTests package`, or run `bin/storm demo`, which does." if self.is_checkout
                      else "Unpack the distribution again.")
            raise CommandError(f"no installation: {self.home / 'lib'} is missing. {remedy}")
        environment = self.given_environment
        conf_dir = Path(environment.get("STORM_CONF_DIR") or self.home / "conf")
        environment = {**environment, "STORM_CONF_DIR": str(conf_dir), "STORM_BASE_DIR": str(self.home)}
        environment = _with_ini(_with_script(environment, conf_dir / "storm-env.sh"), conf_dir / "storm_env.ini")
        own = Path.home() / ".storm"
        return Installation(self.home, conf_dir, own if (own / "storm.yaml").is_file() else conf_dir, environment, _java(environment))

    @cached_property
    def config_file(self):
        """The storm.yaml that the user named, absolute; None for the one on the class path."""
        given = self._config or self.given_environment.get("STORM_CONF_FILE")
        if not given:
            return None
        path = Path(given)
        if path.is_dir():
            path = path / "storm.yaml"
        if not path.is_file() and not path.is_absolute() and (self.installation.conf_dir / path).is_file():
            path = self.installation.conf_dir / path
        if not path.is_file():
            source = "--config" if self._config else "STORM_CONF_FILE"
            raise CommandError(f"{source}: no such file: {path}. Name an existing storm.yaml.")
        return path.resolve()


def _checked(override):
    key, equals, _ = override.partition("=")
    if not equals or not key.strip():
        raise UsageError(f"-c {override}: a value is missing. Write -c KEY=VALUE.")
    return override


def _with_script(environment, script):
    """The environment after a shell has read the script, as upstream's own bin/storm leaves it."""
    if not script.is_file():
        return environment
    shell = shutil.which("bash") or "/bin/sh"
    process = subprocess.run([shell, "-c", '. "$1" >&2 && exec env -0', shell, str(script)], env=environment, stdout=subprocess.PIPE,
                             check=False)
    if process.returncode != 0:
        raise CommandError(f"{script} failed with exit code {process.returncode}. Correct it, or move it away.")
    entries = process.stdout.decode("utf-8", "surrogateescape").split("\0")
    return dict(entry.split("=", 1) for entry in entries if "=" in entry)


def _with_ini(environment, ini):
    """The environment with the section [environment] of the file added."""
    if not ini.is_file():
        return environment
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str
    try:
        parser.read(ini, "utf-8")
        return {**environment, **dict(parser.items("environment"))}
    except (configparser.Error, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())
        raise CommandError(f"{ini}: {reason}. It needs a section [environment] with lines NAME=value.") from error


def _java(environment):
    java_home = environment.get("JAVA_HOME")
    if java_home:
        java = os.path.join(java_home, "bin", "java")
        if not os.path.exists(java):
            raise CommandError(f"JAVA_HOME is {java_home}, but there is no {java}. Point it to a JDK 17 or newer, or unset it.")
        return java
    java = shutil.which("java", path=environment.get("PATH"))
    if java is None:
        raise CommandError("no java found. Install a JDK 17 or newer (Debian, Ubuntu: apt-get install openjdk-17-jdk-headless), "
                           "or set JAVA_HOME.")
    return java
