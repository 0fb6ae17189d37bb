"""The sub-command for what topologies have checkpointed: state."""

from .administration import TOPOLOGIES, TOPOLOGY, java_arguments
from .declaration import Command, Option, Positional
from .jvm import Program, replace_process
from .submission import JAR_POSITIONALS, require_jar


def _state(session, given):
    require_jar(given.topology_jar_path, "topology-jar-path")
    arguments = java_arguments(STATE, given)
    arguments.remove(given.topology_jar_path)
    replace_process(session, Program("io.eyewall.core.security.StateCommand", arguments,
                                     extra=[given.topology_jar_path, session.installation.client_conf_dir]))


STATE = Command("state", TOPOLOGIES, "Show which classes a topology's stored state holds, or register them", _state, (
    Option(("--register",), "write the state anew with numbers for these classes and those that are registered already, for a topology "
           "that is not active", metavar="CLASS,...", passed_as="--register"),
), (JAR_POSITIONALS[0], TOPOLOGY, Positional("namespace", "names of states, such as count-3; all unless given", "*")),
                "Show the classes in what a topology has checkpointed that its workers refuse to make objects of. No object is made for\n"
                "that. The state provider is taken from the topology's jar, or from the daemons' libraries.")

COMMANDS = (STATE,)
