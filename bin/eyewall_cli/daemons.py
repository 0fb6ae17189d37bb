"""Sub-commands that run a daemon in the foreground, to be kept alive by a service manager."""

import functools
import os
import shlex
from dataclasses import dataclass

from .declaration import Command
from .jvm import LONG_LIVED, Program, config_values, log_dir, replace_process

LOG_DIR = "storm.log.dir"
LOG_CONFIGURATION_DIR = "storm.log4j2.conf.dir"
LIBRARY_PATH = "java.library.path"


@dataclass(frozen=True)
class Daemon:
    """A daemon; `options_key` is the configuration key that holds its JVM options."""

    name: str
    summary: str
    main_class: str
    options_key: str = ""
    daemon_name: str = ""
    # Ends when the configuration holds a bad value, and reports it only in its log.
    checks_values: bool = False

    @property
    def keys(self):
        """The configuration keys that its command line depends on."""
        return [LOG_DIR, LOG_CONFIGURATION_DIR, LIBRARY_PATH] + ([self.options_key] if self.options_key else [])


DAEMONS = {daemon.name: daemon for daemon in (
    Daemon("nimbus", "The master: takes submissions, schedules, watches", "org.apache.storm.daemon.nimbus.Nimbus", "nimbus.childopts",
           checks_values=True),
    Daemon("supervisor", "Starts and stops the workers of this host", "org.apache.storm.daemon.supervisor.Supervisor",
           "supervisor.childopts"),
    Daemon("pacemaker", "Keeps heartbeats in memory, off ZooKeeper", "org.apache.storm.pacemaker.Pacemaker", "pacemaker.childopts"),
    Daemon("drpc", "Takes requests and hands them to topologies (distributed RPC)", "io.eyewall.web.drpc.DrpcServers", "drpc.childopts"),
    Daemon("ui", "The web interface and REST API", "io.eyewall.web.UiDaemon", "ui.childopts"),
    Daemon("logviewer", "Shows and searches the log files of this host in a browser", "io.eyewall.web.logs.LogviewerServer",
           "logviewer.childopts"),
    Daemon("dev-zookeeper", "A ZooKeeper for development; forgets everything when it starts",
           "org.apache.storm.command.DevZookeeper", daemon_name="dev_zookeeper"),
)}


def program(session, daemon, values):
    """A daemon as a Java program; `values` holds at least those of its keys."""
    installation = session.installation
    options = shlex.split(values[daemon.options_key] or "") if daemon.options_key else []
    if daemon.options_key:
        options.append("-Djava.deserialization.disabled=true")
    log_file = f"{daemon.name}.log"
    if daemon.name == "supervisor":
        log_file = installation.environment.get("STORM_SUPERVISOR_LOG_FILE", log_file)
    options += [f"-Dlogfile.name={log_file}",
                "-Dlog4j.configurationFile=" + os.path.join(_log_configuration_dir(installation, values), "cluster.xml")]
    return Program(daemon.main_class, jvm_type=LONG_LIVED, jvm_options=options, extra=[installation.conf_dir], launched=False,
                   daemon_name=daemon.daemon_name or daemon.name, log_dir=log_dir(session, values), library_path=values[LIBRARY_PATH])


def _log_configuration_dir(installation, values):
    """Relative paths count from the installation, as in upstream."""
    return os.path.join(installation.home, values[LOG_CONFIGURATION_DIR] or "log4j2")


def _run(daemon, session, _given):
    replace_process(session, program(session, daemon, config_values(session, daemon.keys, checked=daemon.checks_values)))


COMMANDS = tuple(Command(daemon.name, "Daemons", daemon.summary, functools.partial(_run, daemon)) for daemon in DAEMONS.values())
