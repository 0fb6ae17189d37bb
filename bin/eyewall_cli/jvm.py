"""Java command lines, as upstream's daemons and commands expect them."""

import json
import os
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Optional, Sequence
from urllib.parse import quote_plus

from .errors import CommandError

# A JVM that runs for seconds gains little from its second compiler.
SHORT_LIVED = "-client"
LONG_LIVED = "-server"
ONE_COMPILER = "-XX:TieredStopAtLevel=1"
LAUNCHER = "io.eyewall.client.command.Launcher"
CONFIG_VALUES = "io.eyewall.client.command.ConfigValues"
CONTAINER_CONFIGURATION = "io.eyewall.client.command.ContainerConfiguration"
CLUSTER_STATUS = "io.eyewall.client.command.ClusterStatus"


@dataclass(frozen=True)
class Program:
    """A Java main class to run."""

    main_class: str
    arguments: Sequence[str] = ()
    jvm_type: str = SHORT_LIVED
    # Between the properties that every program gets and the main class; they win.
    jvm_options: Sequence[str] = ()
    # Jars and directories behind Storm's own on the class path.
    extra: Sequence[str] = ()
    # lib-worker instead of lib: what a worker has.
    client: bool = False
    # extlib-daemon as well.
    daemon_libraries: bool = True
    daemon_name: str = ""
    # Failures become one line.
    launched: bool = True
    log_dir: Optional[str] = None
    library_path: Optional[str] = None


def class_path(installation, extra=(), client=False, daemon_libraries=True):
    """Storm's class path, in upstream's order."""
    home, environment = installation.home, installation.environment
    directories = [home, home / ("lib-worker" if client else "lib"), home / "extlib"]
    directories += [home / "extlib-daemon"] if daemon_libraries else []
    entries = [os.path.join(directory, "*") for directory in directories if directory.is_dir()]
    entries.append(environment.get("STORM_EXT_CLASSPATH"))
    entries.append(environment.get("STORM_EXT_CLASSPATH_DAEMON") if daemon_libraries else None)
    return os.pathsep.join([entry for entry in entries if entry] + [str(entry) for entry in extra])


def command(session, program):
    """The whole command line of a program."""
    installation = session.installation
    line = [installation.java, program.jvm_type, *([ONE_COMPILER] if program.jvm_type == SHORT_LIVED else []),
            f"-Ddaemon.name={program.daemon_name}", "-Dstorm.options=" + ",".join(quote_plus(override) for override in session.overrides),
            f"-Dstorm.home={installation.home}"]
    if program.log_dir is not None:
        line.append(f"-Dstorm.log.dir={program.log_dir}")
    if program.library_path is not None:
        line.append(f"-Djava.library.path={program.library_path}")
    line += [f"-Dstorm.conf.file={session.config_file or ''}", "-cp",
             class_path(installation, program.extra, program.client, program.daemon_libraries)]
    line += program.jvm_options
    if program.launched:
        line += ["-Deyewall.command.debug=true"] if session.debug else []
        line.append(LAUNCHER)
    return line + [program.main_class, *program.arguments]


def replace_process(session, program):
    """Runs a program in the place of this process: signals, streams and the exit code are its own. Does not return."""
    line = command(session, program)
    announce(session, line)
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(line[0], line, session.installation.environment)


def call(session, program, **streams):
    """Runs a program and returns its exit code."""
    line = command(session, program)
    announce(session, line)
    sys.stdout.flush()
    return subprocess.run(line, env=session.installation.environment, check=False, **streams).returncode


def output(session, line, **options):
    """Runs a command line; returns the process that has ended, with what it printed as texts."""
    return subprocess.run(line, env=session.installation.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                          check=False, **options)


def announce(session, line):
    """With --debug, shows the command line about to be run."""
    if session.debug:
        print("Running: " + shlex.join(line), file=sys.stderr)


def config_values(session, keys, conf_dir=None, checked=False):
    """The values of configuration keys as texts, read by Java as Storm reads them; None for a key without a value. Fails, if `checked`,
    when the configuration holds a value that no cluster may have."""
    directory = session.installation.conf_dir if conf_dir is None else conf_dir
    return _values(session, Program(CONFIG_VALUES, [*(["--checked"] if checked else []), *keys], extra=[directory]))


def container_configuration(session, file, keys):
    """Writes the configuration of a container to a file, once it is checked; returns values of it as `config_values` does."""
    return _values(session, Program(CONTAINER_CONFIGURATION, [str(file), *keys], extra=[session.installation.conf_dir]))


def _values(session, program):
    line = command(session, program)
    announce(session, line)
    process = output(session, line)
    if process.returncode != 0:
        raise CommandError(failure(process.stderr, f"{line[0]} failed with exit code {process.returncode}"))
    answer = process.stdout[process.stdout.index("{"):]
    return {key: None if value == "null" else value for key, value in json.loads(answer).items()}


def cluster_status(session, timeout=None):
    """What Nimbus knows of the cluster; None if it does not answer, or refuses. Raises what subprocess raises after `timeout` seconds."""
    line = command(session, Program(CLUSTER_STATUS, extra=[session.installation.conf_dir]))
    process = output(session, line, timeout=timeout)
    return json.loads(process.stdout) if process.returncode == 0 else None


def failure(error_output, default):
    """The line in which the launcher reported a failure, without its name; all output if there is no such line."""
    for line in error_output.splitlines():
        if line.startswith("storm: "):
            return line[len("storm: "):]
    return (error_output.strip() or default)


def log_dir(session, values):
    """Where daemons and clients write their logs."""
    return values["storm.log.dir"] or str(Path(session.installation.home) / "logs")
