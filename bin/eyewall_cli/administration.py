"""Sub-commands that are main classes of upstream: their options are checked here and handed on in the form that Java takes."""

import functools
import json
from pathlib import Path

from .declaration import Command, Option, Positional, non_negative, positive
from .errors import CommandError
from .jvm import Program, replace_process

TOPOLOGIES = "Topologies"
CLUSTER = "Cluster"
PACKAGE = "org.apache.storm.command."

TOPOLOGY = Positional("topology-name", "name of a running topology")
KEY = Positional("KEY", "name of the blob")
ACL_FORM = "[uo]:USER:RIGHTS of rights r, w, a or -, with commas between"


def java_arguments(command, given):
    """The arguments in the order that suits upstream's classes: options first, under their short names."""
    arguments = []
    for option in command.options:
        value = getattr(given, option.dest)
        if option.passed_as is None or value is None or value is False:
            continue
        if option.kind == "flag":
            arguments.append(option.passed_as)
        else:
            for one in value if option.kind == "list" else [value]:
                arguments += [option.passed_as, str(one)]
    for positional in command.positionals:
        value = getattr(given, positional.dest)
        arguments += value if isinstance(value, list) else [value]
    return arguments


def _run(main_class, words, declared, check, session, given):
    if check is not None:
        check(given)
    conf_dir = session.installation.client_conf_dir
    arguments = words + java_arguments(declared[0], given)
    replace_process(session, Program(PACKAGE + main_class, arguments, extra=[conf_dir, session.installation.home / "bin"]))


def _command(name, group, summary, main_class, options=(), positionals=(), check=None, words=(), description=""):
    # The function that runs the command reads its declaration, which holds the function.
    declared = []
    run = functools.partial(_run, main_class, list(words), declared, check)
    declared.append(Command(name, group, summary, run, tuple(options), tuple(positionals), description))
    return declared[0]


def _pair(text, form):
    name, equals, value = text.rpartition("=")
    if not equals or not name:
        raise CommandError(f"'{text}' is not of the form {form}.")
    return name, value


def _executors(text):
    form = "COMPONENT=NUMBER"
    number = _pair(text, form)[1]
    if not number.isdigit():
        raise CommandError(f"'{text}' is not of the form {form}: '{number}' is not a whole number.")
    return text


def _log_level(text):
    form = "LOGGER=LEVEL[:SECONDS]"
    level, colon, seconds = _pair(text, form)[1].partition(":")
    if level.upper() not in ("ALL", "TRACE", "DEBUG", "INFO", "WARN", "ERROR", "FATAL", "OFF"):
        raise CommandError(f"'{text}': no log level '{level}'. There are ALL, TRACE, DEBUG, INFO, WARN, ERROR, FATAL and OFF.")
    if colon and not seconds.isdigit():
        raise CommandError(f"'{text}' is not of the form {form}: '{seconds}' is not a whole number.")
    return text


def _json_object(text):
    try:
        if isinstance(json.loads(text), dict):
            return text
    except ValueError:
        pass
    raise CommandError(f"'{text}' is not a JSON object. Quote it for the shell: '{{\"key\": value}}'.")


def _access_rights(text):
    for entry in text.split(","):
        *who, rights = entry.split(":")
        if len(who) > 2 or set(rights) - set("rwa-") or not rights or (len(who) == 2 and who[0] not in ("u", "user", "o", "other")):
            raise CommandError(f"'{entry}' is not of the form [uo]:USER:RIGHTS, with rights r, w, a or -.")
    return text


def _credentials(given):
    if len(given.cred_list) % 2:
        raise CommandError(f"credentials are pairs of a key and a value, but {len(given.cred_list)} words are given. "
                           "Add the missing one.")
    _readable(given)


def _drpc_arguments(given):
    if given.function is None and len(given.function_arguments) % 2:
        raise CommandError("without -f the arguments are pairs of a function and its argument, but "
                           f"{len(given.function_arguments)} words are given. Add the missing one, or name the function with -f.")


def _readable(given):
    if given.file is not None and not Path(given.file).is_file():
        raise CommandError(f"no such file: {given.file}. Check the path after -f.")


def _replication(given):
    if given.read == given.update:
        raise CommandError("replication needs one of --read and --update.")
    if given.update and given.replication_factor is None:
        raise CommandError("--update needs the new replication factor: -r NUMBER.")


WAIT = Option(("-w", "--wait", "--wait-time-secs"), "seconds to wait first, instead of the topology's message timeout", "value",
              non_negative, "SECONDS", passed_as="-w")
SOURCE = Option(("-f", "--FILE", "--file"), "read the contents from this file, not from standard input", metavar="FILE",
                passed_as="-f")
FACTOR = Option(("-r", "--replication-factor"), "number of copies", "value", positive, "NUMBER", passed_as="-r")

RUNNING = (
    _command("list", TOPOLOGIES, "List the running topologies and their status", "ListTopologies"),
    _command("kill", TOPOLOGIES, "Kill topologies", "KillTopology", [
        WAIT,
        Option(("-i", "--ignore-errors"), "go on with the next topology when one cannot be killed", "flag", passed_as="-i"),
    ], [Positional("topology-name", "names of running topologies", "+")],
             description="Kill topologies. The spouts stop, tuples under way get time to be processed, then the workers stop."),
    _command("activate", TOPOLOGIES, "Let the spouts of a topology emit again", "Activate", positionals=[TOPOLOGY]),
    _command("deactivate", TOPOLOGIES, "Let the spouts of a topology pause", "Deactivate", positionals=[TOPOLOGY]),
    _command("rebalance", TOPOLOGIES, "Change workers and executors of a topology, and place them anew", "Rebalance", [
        WAIT,
        Option(("-n", "--num-workers"), "new number of workers", "value", positive, "NUMBER", passed_as="-n"),
        Option(("-e", "--executor"), "new number of executors of a component; may be repeated", "list", _executors,
               "COMPONENT=NUMBER", passed_as="-e"),
        Option(("-r", "--resources"), 'new resources of components: {"component": {"resource": amount}}', "value", _json_object,
               "JSON", passed_as="-r"),
        Option(("-t", "--topology-conf"), "new values of the topology's configuration", "value", _json_object, "JSON",
               passed_as="-t"),
    ], [TOPOLOGY]),
    _command("monitor", TOPOLOGIES, "Show the throughput of a topology until interrupted", "Monitor", [
        Option(("-i", "--interval"), "seconds between two lines (4)", "value", positive, "SECONDS", passed_as="-i"),
        Option(("-m", "--component"), "the component to watch", metavar="COMPONENT", passed_as="-m"),
        Option(("-s", "--stream"), "the stream to watch (default)", metavar="STREAM", passed_as="-s"),
        Option(("-w", "--watch"), "the counter to watch: emitted (the default) or transferred", metavar="COUNTER", passed_as="-w"),
    ], [TOPOLOGY]),
    _command("get-errors", TOPOLOGIES, "Show the latest errors of a topology's components as JSON", "GetErrors", positionals=[TOPOLOGY]),
    _command("set_log_level", TOPOLOGIES, "Change log levels of a running topology", "SetLogLevel", [
        Option(("-l", "--log-setting"), "set a logger's level, for a number of seconds if given; ROOT is the root logger; may be repeated",
               "list", _log_level, "LOGGER=LEVEL[:SECONDS]", passed_as="-l"),
        Option(("-r", "--remove-log-setting"), "set a logger's level back; may be repeated", "list", metavar="LOGGER", passed_as="-r"),
    ], [TOPOLOGY]),
    _command("upload-credentials", TOPOLOGIES, "Give a running topology new credentials", "UploadCredentials", [
        Option(("-f", "--file"), "a properties file with credentials", metavar="FILE", passed_as="-f"),
        Option(("-u", "--user"), "owner of the topology, as a precaution", metavar="USER", passed_as="-u"),
        Option(("-e", "--exception-when-empty"), "fail when there are no credentials to upload", "flag", passed_as="-e"),
    ], [TOPOLOGY, Positional("cred_list", "keys and values in turn", "*")], _credentials),
    _command("drpc-client", TOPOLOGIES, "Send requests to a DRPC server", "BasicDrpcClient", [
        Option(("-f", "--function"), "the function; all arguments are then its arguments", metavar="FUNCTION", passed_as="-f"),
    ], [Positional("function_arguments", "functions and their arguments in turn", "*")], _drpc_arguments),
)


def _dependencies(session, given):
    replace_process(session, Program("io.eyewall.core.security.DependenciesCommand", java_arguments(DEPENDENCIES, given),
                                     extra=[session.installation.client_conf_dir]))


DEPENDENCIES = Command("dependencies", "Blobs", "Show what topologies have brought with them, and remove what none uses", _dependencies, (
    Option(("--remove",), "remove those that no topology uses", "flag", passed_as="--remove"),
), description="Show the blobs that --jars and --artifacts have uploaded: the owner, the topologies that use it, and whether others could\n"
               "have known its key before. To be run as an administrator, and with --remove while nobody submits a topology.")

BLOBSTORE = Command("blobstore", CLUSTER, "List, read, write and delete blobs of the cluster's blob store", children=(
    _command("list", "Blobs", "List blobs, all or those named", "Blobstore", positionals=[Positional("keys", "names of blobs", "*")],
             words=["list"]),
    _command("cat", "Blobs", "Write a blob to standard output or a file", "Blobstore", [
        Option(("-f", "--FILE", "--file"), "write to this file", metavar="FILE", passed_as="-f"),
    ], [KEY], words=["cat"]),
    _command("create", "Blobs", "Make a new blob from a file or standard input", "Blobstore", [
        SOURCE, Option(("-a", "--acl"), "who may do what: " + ACL_FORM, "value", _access_rights, "ACL", passed_as="-a"), FACTOR,
    ], [KEY], _readable, ["create"],
             "Make a new blob from a file or standard input. Here alice may do all, bob read and write, others read:\n"
             "  storm blobstore create mytopo-data.tgz -f data.tgz -a u:alice:rwa,u:bob:rw,o::r"),
    _command("update", "Blobs", "Replace a blob's contents by a file or standard input", "Blobstore", [SOURCE], [KEY], _readable,
             ["update"]),
    _command("delete", "Blobs", "Delete a blob", "Blobstore", positionals=[KEY], words=["delete"]),
    DEPENDENCIES,
    _command("set-acl", "Blobs", "Set who may do what with a blob", "Blobstore", [
        Option(("-s", "--set"), "who may do what: " + ACL_FORM, "value", _access_rights, "ACL", passed_as="-s"),
    ], [KEY], words=["set-acl"]),
    _command("replication", "Blobs", "Read or change the number of a blob's copies", "Blobstore", [
        Option(("--read",), "print it", "flag", passed_as="--read"),
        Option(("--update",), "change it to the number after -r", "flag", passed_as="--update"), FACTOR,
    ], [KEY], _replication, ["replication"]),
))

HEARTBEATS = Command("heartbeats", CLUSTER, "Look at the workers' heartbeats", children=(
    _command("list", "Heartbeats", "List what is below a path", "Heartbeats", positionals=[Positional("PATH")], words=["list"]),
    _command("get", "Heartbeats", "Show the heartbeat at a path as JSON", "Heartbeats", positionals=[Positional("PATH")], words=["get"]),
))

ADMIN = Command("admin", CLUSTER, "Look into a broken cluster and repair it; to be run beside Nimbus, as its user", children=(
    _command("remove_corrupt_topologies", "Repair", "Kill topologies whose blobs are missing", "AdminCommands",
             words=["remove_corrupt_topologies"]),
    _command("zk_cli", "Inspection", "Open a shell on the cluster's ZooKeeper", "AdminCommands", [
        Option(("-s", "--server"), "connection string, instead of the cluster's", metavar="SERVERS", passed_as="-s"),
        Option(("-t", "--time-out"), "session timeout in seconds, instead of the cluster's", "value", non_negative, "SECONDS",
               passed_as="-t"),
        Option(("-w", "--write"), "allow writing", "flag", passed_as="-w"),
        Option(("-n", "--no-root"), "start above the cluster's root node", "flag", passed_as="-n"),
        Option(("-j", "--jaas"), "a JAAS file to log in with", metavar="FILE", passed_as="-j"),
    ], words=["zk_cli"]),
    _command("creds", "Inspection", "Print the names of a topology's credentials", "AdminCommands", positionals=[
        Positional("topology_id")], words=["creds"]),
    _command("print_topo", "Inspection", "Print a topology's components", "AdminCommands", positionals=[
        Positional("topology", "ids of topologies, or files", "*")], words=["print_topo"]),
    _command("print_super", "Inspection", "Print what supervisors registered", "AdminCommands", positionals=[
        Positional("supervisor_id", count="*")], words=["print_super"]),
    _command("print_assignment", "Inspection", "Print where topologies run", "AdminCommands", positionals=[
        Positional("topology_id", count="*")], words=["print_assignment"]),
))

COMMANDS = RUNNING + (
    BLOBSTORE, HEARTBEATS, ADMIN,
    _command("node-health-check", CLUSTER, "Run the health checks of this host's supervisor", "HealthCheck"),
    _command("kill_workers", CLUSTER, "Kill all workers of this host's supervisor", "KillWorkers"),
)
