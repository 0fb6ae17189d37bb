"""Sub-commands that run a user's own program: jar, local, shell."""

import dataclasses
import json
import os
import shlex
import tempfile
import zipfile
from pathlib import Path

from .artifacts import ArtifactRequest, resolve
from .declaration import Command, Option, Positional, non_negative
from .errors import CommandError
from .jvm import LONG_LIVED, Program, call, config_values, log_dir, replace_process

GROUP = "Submission"
LIBRARY_PATH = "java.library.path"

JAR_OPTIONS = (
    Option(("--jars",), "jars to ship with the topology, separated by commas", default="", metavar="JAR,..."),
    Option(("--artifacts",), "Maven artifacts to ship with all they need: group:artifact:version, each with ^group:artifact for what to "
           "leave out, separated by commas", default="", metavar="ARTIFACT,..."),
    Option(("--artifactRepositories",), "where to look for artifacts besides Maven Central: name^url, separated by commas", default="",
           metavar="REPOSITORY,..."),
    Option(("--mavenLocalRepositoryDirectory",), "where artifacts are kept on this host, instead of Maven's own place", default="",
           metavar="DIR"),
    Option(("--proxyUrl",), "HTTP proxy for artifacts: http://host:port", default="", metavar="URL"),
    Option(("--proxyUsername",), "user name for the proxy", default="", metavar="NAME"),
    Option(("--proxyPassword",), "password for the proxy", default="", metavar="PASSWORD"),
)
JAR_POSITIONALS = (
    Positional("topology-jar-path", "the jar with the topology"),
    Positional("topology-main-class", "its class that submits the topology"),
)


def program(session, given, main_class, arguments, client, jvm_options=()):
    """A topology's main class as a Java program, with what StormSubmitter reads from system properties."""
    jar = given.topology_jar_path
    require_jar(jar, "topology-jar-path")
    jars = [jar_path for jar_path in given.jars.split(",") if jar_path]
    for jar_path in jars:
        require_jar(jar_path, "--jars")
    values = config_values(session, ["storm.log.dir", LIBRARY_PATH], session.installation.client_conf_dir)
    artifacts = resolve(session, ArtifactRequest(given.artifacts, given.artifactRepositories, given.mavenLocalRepositoryDirectory,
                                                 given.proxyUrl, given.proxyUsername, given.proxyPassword))
    installation = session.installation
    options = shlex.split(installation.environment.get("STORM_JAR_JVM_OPTS", ""))
    options += [*jvm_options, f"-Dstorm.jar={jar}", "-Dstorm.dependency.jars=" + ",".join(jars),
                "-Dstorm.dependency.artifacts=" + json.dumps(artifacts)]
    extra = [jar, installation.client_conf_dir, installation.home / "bin", *jars, *artifacts.values()]
    return Program(main_class, arguments, jvm_options=options, extra=extra, client=client, daemon_libraries=False,
                   log_dir=log_dir(session, values), library_path=values[LIBRARY_PATH])


def require_jar(path, where):
    """Refuses anything that is not a readable jar before Java trips over it."""
    if not os.path.isfile(path):
        raise CommandError(f"{where}: no such file: {path}. Check the path, or build the jar first.")
    if not zipfile.is_zipfile(path):
        raise CommandError(f"{where}: {path} is not a jar. Build it again, or name another file.")


def _jar(session, given):
    replace_process(session, program(session, given, given.topology_main_class, given.main_args, not given.storm_server_classpath))


def _local(session, given):
    options = [f"-Dstorm.local.sleeptime={given.local_ttl}"]
    if given.java_debug is not None:
        options.append(f"-agentlib:jdwp={given.java_debug}")
    if given.local_zookeeper is not None:
        options.append(f"-Dstorm.local.zookeeper={given.local_zookeeper}")
    arguments = [given.topology_main_class, *given.main_args]
    local = program(session, given, "org.apache.storm.LocalCluster", arguments, False, options)
    replace_process(session, dataclasses.replace(local, jvm_type=LONG_LIVED))


def _shell(session, given):
    resources = Path(given.resourcesdir)
    if not resources.is_dir():
        raise CommandError(f"resourcesdir: no such directory: {resources}. Name the directory with the topology's files.")
    conf_dir = session.installation.client_conf_dir
    with tempfile.TemporaryDirectory(prefix="stormshell") as directory:
        jar = os.path.join(directory, "stormshell.jar")
        pack(resources, jar)
        return call(session, Program("org.apache.storm.command.ShellSubmission", [jar, given.shell_command, *given.args],
                                     extra=[conf_dir]))


def pack(resources, jar):
    """Packs a directory into a jar, under its own path as the jar tool does."""
    with zipfile.ZipFile(jar, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\r\n\r\n")
        for path in sorted(resources.rglob("*")):
            if path.is_file():
                archive.write(path)


COMMANDS = (
    Command("jar", GROUP, "Run a main class of a jar, which submits a topology", _jar, JAR_OPTIONS + (
        Option(("--storm-server-classpath",), "run it with the libraries of the daemons, which workers do not have", "flag"),
    ), JAR_POSITIONALS, "Run a main class of a jar with Storm's class path. What it submits with StormSubmitter goes to the cluster.\n"
            "Arguments behind the class belong to it, except the options below, which count anywhere before `--`.",
            user_arguments="main_args"),
    Command("local", GROUP, "Run a main class of a jar against a cluster inside its own process", _local, JAR_OPTIONS + (
        Option(("--local-ttl",), "seconds to run before everything ends (20)", "value", non_negative, "SECONDS", 20),
        Option(("--java-debug",), "wait for a Java debugger: what -agentlib:jdwp takes", metavar="PARAMETERS"),
        Option(("--local-zookeeper",), "use this ZooKeeper instead of one inside the process", metavar="SERVERS"),
    ), JAR_POSITIONALS, user_arguments="main_args"),
    Command("shell", GROUP, "Upload a directory as a jar and run a command that submits a topology", _shell, (), (
        Positional("resourcesdir", "directory with the topology's files"),
        Positional("shell-command", "what to run; host and port of Nimbus and the uploaded jar's place follow its arguments"),
    ), "Pack a directory into a jar, upload it to Nimbus and run a command on this host, as in\n"
            "  storm shell resources/ python3 topology.py arg1 arg2", user_arguments="args"),
)
