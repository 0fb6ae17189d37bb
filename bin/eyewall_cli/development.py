"""Eyewall's own sub-commands: demo, dev-cluster, bench."""

import sys
from pathlib import Path

from . import demo
from .bench import run as run_bench
from .declaration import DEBUG, OVERRIDES, Command, Option, non_negative, positive
from .dev_cluster import DevCluster
from .processes import Stopped, StopSignals

GROUP = "Trying and developing"
DIRECTORY = Option(("--dir",), "where the cluster keeps its state, logs and storm.yaml", metavar="DIR")


def _cluster(session, given):
    return DevCluster(Path(given.dir) if given.dir else session.work_dir / "dev-cluster")


def _start(session, given):
    cluster = _cluster(session, given)
    with StopSignals():
        try:
            configuration = cluster.start(session, given.slots, session.overrides, given.ui)
        except Stopped as stopped:
            return stopped.exit_code
    print(f"ZooKeeper on port {configuration['storm.zookeeper.port']}, Nimbus on port {configuration['nimbus.thrift.port']}, "
          f"a Supervisor with {_counted(len(configuration['supervisor.slots.ports']), 'slot')}. Logs: {cluster.log_dir}")
    if given.ui:
        print(f"In a browser: http://localhost:{configuration['ui.port']}/")
    print(f"Use it:  {_command()} --config {cluster.config_file} COMMAND ...")
    print(f"Stop it: {_command()} dev-cluster stop{_directory_argument(given)}")
    return 0


def _stop(session, given):
    cluster = _cluster(session, given)
    if cluster.stop():
        print(f"Stopped. Logs: {cluster.log_dir}")
    else:
        print(f"No dev cluster runs in {cluster.directory}.")
    return 0


def _status(session, given):
    cluster = _cluster(session, given)
    members = cluster.members()
    if not members:
        print(f"No dev cluster runs in {cluster.directory}. Start one: {_command()} dev-cluster start{_directory_argument(given)}")
        return 1
    for name in cluster.started():
        print(f"{name:<15}" + (f"running, process {members[name].pid}" if name in members else "not running"))
    status = cluster.ask(session)
    if status is None:
        print("Nimbus does not answer.")
        return 1
    print(f"{'slots':<15}{status['slots']}")
    print(f"{'workers':<15}{cluster.listening()} of {sum(topology['workers'] for topology in status['topologies'])} listen")
    for topology in status["topologies"]:
        print(f"{'topology':<15}{topology['name']}: {topology['status']}, {_counted(topology['workers'], 'worker')}, "
              + _counted(topology["executors"], "executor"))
    return 0 if len(members) == len(cluster.started()) else 1


def _counted(number, what):
    return f"{number} {what}" + ("" if number == 1 else "s")


def _command():
    """How to call this command from any directory, as the paths that are shown."""
    return Path(sys.argv[0]).absolute()


def _directory_argument(given):
    return f" --dir {Path(given.dir).absolute()}" if given.dir else ""


COMMANDS = (
    Command("demo", GROUP, "Show a topology on real text, with Storm's waiting and with a shorter tail", demo.run, (
        Option(("--input",), "the text to read line by line, - for standard input (a text that comes with the examples)",
               metavar="FILE"),
        Option(("--rate",), "lines per second, 0 for as many as it can take (1000)", "value", non_negative, "NUMBER", 1000),
        Option(("--seconds",), "how long to show each of the two (30)", "value", positive, "NUMBER", 30),
        Option(("--topology",), "which of the examples (processing)", default="processing", metavar="NAME"),
        Option(("--ui",), "also start the web interface and the logviewer", "flag"),
    ), description="Show a topology at work on real text, in two workers of which one is slow. Starts a cluster of real processes,\n"
                   "runs the topology with Storm's waiting, then with Eyewall's techniques against the tail, shows throughput and\n"
                   "end-to-end latency once a second and both side by side in the end. Then, or at Ctrl-C, stops everything. In a\n"
                   "checkout it builds what is missing.",
            global_options=(OVERRIDES, DEBUG)),
    Command("dev-cluster", GROUP, "Start, stop or look at a cluster of real processes on this host", children=(
        Command("start", "Dev cluster", "Start ZooKeeper, Nimbus and a Supervisor on free ports", _start, (
            DIRECTORY, Option(("--slots",), "number of workers that it can run (4)", "value", positive, "NUMBER", 4),
            Option(("--ui",), "also start the web interface and the logviewer", "flag"),
        ), global_options=(OVERRIDES, DEBUG)),
        Command("stop", "Dev cluster", "End them and all workers; logs stay", _stop, (DIRECTORY,), global_options=(DEBUG,)),
        Command("status", "Dev cluster", "Show what runs; exit code 1 if not all of it does", _status, (DIRECTORY,),
                global_options=(DEBUG,)),
    )),
    Command("bench", GROUP, "Compare Eyewall with upstream Storm, or two configurations, side by side", run_bench,
            user_arguments="bench_args", global_options=(DEBUG,),
             description="Run a topology on clusters of both installations in turns, print one table, and write its figures to runs.csv:\n"
                         "  storm bench SCENARIO|all|--list [--ab CONFIG_A CONFIG_B[,CONFIG_C...]]\n"
                         "                        [--rounds N] [--seconds N] [--warmup N] [--rate N] [--rates FILE[,FILE...]]\n"
                         "                        [--hosts N] [--eyewall-home DIR] [--upstream-home DIR] [--flink-home DIR]\n"
                         "                        [--commit NAME] [--out DIR]\n"
                         "  storm bench --report PAGE...\n"
                         "`storm bench --list` shows the scenarios. The first part of a name stands for all that begin with it.\n"
                         "tail/... show what a technique brings, which --ab switches on; transport/ping-pong and transport/stream compare\n"
                         "transports without a topology; elastic/... show what it costs and brings to change a running topology;\n"
                         "henge/... show how service levels are met while something changes: the load as in days (diurnal) or all at\n"
                         "once (spike), a topology that comes (new-tenant), a Supervisor that goes (machine-failure); henge/moves shows\n"
                         "what restarts of workers cost meanwhile;\n"
                         "peers/... compare with Apache Flink, which a checkout fetches from Maven Central when it is first asked for.\n"
                         "Arguments:\n"
                        "  --ab         compare configurations (YAML files of topology keys; eyewall.home: upstream for upstream's\n"
                        "               installation) with the first of them, instead of upstream and Eyewall\n"
                        "  --rounds     how many times each side is measured\n"
                        "  --seconds    how long each measurement takes, after --warmup seconds\n"
                        "  --rate       tuples per second, instead of the scenario's own; 0 for as many as it can take\n"
                        "  --rates      for henge/diurnal: traces of load that the topologies follow in turns, instead of made-up days\n"
                        "  --hosts      spread the workers over so many hosts, network namespaces of this machine; needs root\n"
                        "  --out        the directory of the results; --eyewall-home names an installation of Eyewall in place of this\n"
                        "               one, --upstream-home one of upstream Storm, --flink-home one of Flink as integration/peers\n"
                        "               makes it\n"
                        "  --commit     the commit that the figures name beside Eyewall's version; in a checkout it is git's\n"
                        "  --report     write the tables and plots of pages anew, such as docs/benchmarks.md, from the files of\n"
                        "               figures that the pages name"),
)
