"""The storm command in a container: `zookeeper` and `health` beside the usual commands, and the configuration of the container.

The configuration is that of the image (conf/storm.yaml of the installation), then the user's (MOUNTED, or what STORM_CONF_FILE names),
then what variables say (STORM_NIMBUS_SEEDS sets nimbus.seeds). It is put together anew for each command, into a file of its own for the
daemon, so that a command beside the daemon changes nothing for its workers.
"""

import os
import socket
import sys
import tempfile
from pathlib import Path

from . import jvm, main as command
from .errors import CommandError
from .session import Session

MOUNTED = Path("/etc/storm/storm.yaml")
ALIASES = {"zookeeper": "dev-zookeeper"}
# Of the ports of a daemon's keys, the first that is not switched off answers when the daemon is well.
PORTS = {
    "nimbus": ("nimbus.thrift.port",),
    "supervisor": ("supervisor.thrift.port",),
    "ui": ("ui.port", "ui.https.port"),
    "logviewer": ("logviewer.port", "logviewer.https.port"),
    "drpc": ("drpc.port",),
    "pacemaker": ("pacemaker.port",),
    "dev-zookeeper": ("storm.zookeeper.port",),
}
LOCAL_DIR = "storm.local.dir"
ANSWER_S = 5


def main(arguments, root):
    """Runs a command in the place of this process, or says whether this container's daemon is well; returns the exit code."""
    try:
        if arguments == ["health"]:
            return _health()
        arguments = [ALIASES.get(argument, argument) for argument in arguments[:1]] + arguments[1:]
        _configure(arguments[0] if arguments else "", root)
    except CommandError as error:
        print(f"storm: {error}", file=sys.stderr)
        return error.exit_code
    return command.main(arguments, root)


def _configure(name, root):
    """Writes the configuration, and has the command find it."""
    directory = _directory()
    try:
        directory.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise CommandError(f"cannot make {directory}: {error.strerror}. Mount a volume at {directory.parent}, which must be "
                           "writable.") from error
    file = directory / ("storm.yaml" if name in PORTS else "client.yaml")
    session = Session(root, str(MOUNTED) if "STORM_CONF_FILE" not in os.environ and MOUNTED.is_file() else None)
    keys = PORTS.get(name, ())
    values = jvm.container_configuration(session, file, (*keys, LOCAL_DIR) if name == "supervisor" else keys)
    if keys:
        port = next((int(values[key]) for key in keys if int(values[key] or 0) > 0), None)
        if port is None:
            raise CommandError(f"{name} would listen on no port. Set {keys[0]}.")
        _port_file().write_text(f"{port}\n", "ascii")
    if name == "supervisor":
        _forget_workers(Path(root, values[LOCAL_DIR]))
    os.environ["STORM_CONF_FILE"] = str(file)


def _forget_workers(local_dir):
    """Removes what workers of an earlier container have left of their processes, which ended with it.

    In this container other processes have their numbers. The Supervisor would end these, even itself.
    """
    for kind in ("pids", "heartbeats"):
        for file in local_dir.glob(f"workers/*/{kind}/*"):
            try:
                file.unlink(missing_ok=True)
            except OSError as error:
                raise CommandError(f"cannot remove {file}: {error.strerror}. It must belong to the container's user.") from error


def _health():
    try:
        port = int(_port_file().read_text("ascii"))
    except OSError as error:
        raise CommandError("no daemon was started in this container. Start the container with the name of one, such as nimbus.") from error
    try:
        with socket.create_connection(("localhost", port), ANSWER_S):
            return 0
    except OSError as error:
        raise CommandError(f"the daemon does not answer at port {port}: {error.strerror or error}. Its log says why.") from error


def _directory():
    """The one place that a container can always write to."""
    return Path(tempfile.gettempdir()) / "eyewall"


def _port_file():
    return _directory() / "port"
