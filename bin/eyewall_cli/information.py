"""Sub-commands that print something about the installation."""

from .declaration import Command, Positional
from .errors import CommandError
from .jvm import LONG_LIVED, Program, class_path, config_values, replace_process

GROUP = "Installation"


def _version(session, _given):
    replace_process(session, Program("io.eyewall.client.command.InstalledVersion", extra=[session.installation.conf_dir]))


def _class_path(session, _given):
    print(class_path(session.installation, client=True))
    return 0


def _server_class_path(session, _given):
    print(class_path(session.installation))
    return 0


def _local_value(session, given):
    return _print_value(session, given.conf_name, session.installation.client_conf_dir)


def _remote_value(session, given):
    return _print_value(session, given.conf_name, session.installation.conf_dir)


def _print_value(session, key, conf_dir):
    value = config_values(session, [key], conf_dir)[key]
    print(f"{key}: {'null' if value is None else value}")
    return 0


def _repl(session, _given):
    home, conf_dir = session.installation.home, session.installation.conf_dir
    clojure = home / "lib-clojure"
    if not any(clojure.glob("clojure-*.jar")):
        raise CommandError(f"repl: {clojure} is missing in this installation. Unpack it again.")
    replace_process(session, Program("clojure.main", jvm_type=LONG_LIVED, extra=[clojure / "*", conf_dir], launched=False))


COMMANDS = (
    Command("version", GROUP, "Print the versions of Storm and of Eyewall", _version),
    Command("classpath", GROUP, "Print the class path of clients and workers", _class_path),
    Command("server_classpath", GROUP, "Print the class path of daemons", _server_class_path),
    Command("localconfvalue", GROUP, "Print a configuration value as clients on this host see it", _local_value,
            positionals=(Positional("conf_name", "the key"),)),
    Command("remoteconfvalue", GROUP, "Print a configuration value as daemons on this host see it", _remote_value,
            positionals=(Positional("conf_name", "the key"),)),
    Command("repl", GROUP, "Open a Clojure REPL with Storm's jars (deprecated upstream)", _repl),
)
