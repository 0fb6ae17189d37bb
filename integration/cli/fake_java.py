"""Stands in for java in the tests of bin/storm: notes how it was called and acts as the main classes that bin/storm depends on.

Environment: FAKE_JAVA_CALLS, a directory that gets one JSON file per call; FAKE_JAVA_VALUES, a JSON object with the configuration
values to report; FAKE_JAVA_FAIL, a main class that is to fail, with the text to fail with after a colon; FAKE_JAVA_SERVE, set when
daemons are to run, else they end at once; FAKE_JAVA_TABLE, set to "wait" when the live table is to run until it is stopped.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

LAUNCHER = "io.eyewall.client.command.Launcher"


def main_class(arguments):
    """The main class behind the JVM's options, without the launcher, and its arguments."""
    position = 0
    while arguments[position].startswith("-"):
        position += 2 if arguments[position] == "-cp" else 1
    if arguments[position] == LAUNCHER:
        position += 1
    return arguments[position], arguments[position + 1:]


def configuration(arguments):
    """The dev cluster's storm.yaml, each line of which is a key and a value in JSON."""
    name = next(argument for argument in arguments if argument.startswith("-Dstorm.conf.file="))
    with open(name.split("=", 1)[1], encoding="utf-8") as lines:
        return dict((json.loads(line.split(": ", 1)[0]), json.loads(line.split(": ", 1)[1])) for line in lines)


def note(arguments):
    """Keeps the call for the test."""
    directory = os.environ.get("FAKE_JAVA_CALLS")
    if directory:
        handle, path = tempfile.mkstemp(prefix=f"{time.monotonic_ns():020d}-", dir=directory)
        with os.fdopen(handle, "w", encoding="utf-8") as output:
            json.dump({"arguments": arguments, "environment": dict(os.environ), "directory": os.getcwd()}, output)
        os.rename(path, path + ".json")


def serve(port):
    """Accepts connections on a port until it is asked to end."""
    with socket.create_server(("", port)) as server:
        while True:
            server.accept()[0].close()


def supervise(port):
    """Starts what stands for a worker, which does not end with its supervisor, and serves."""
    signal.signal(signal.SIGTERM, lambda *_: os._exit(143))
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    serve(port)


DAEMONS = {
    "org.apache.storm.command.DevZookeeper": lambda values: serve(values["storm.zookeeper.port"]),
    "org.apache.storm.daemon.nimbus.Nimbus": lambda values: serve(values["nimbus.thrift.port"]),
    "org.apache.storm.daemon.supervisor.Supervisor": lambda values: supervise(values["supervisor.thrift.port"]),
    "io.eyewall.web.UiDaemon": lambda values: serve(values["ui.port"]),
    "io.eyewall.web.logs.LogviewerServer": lambda values: serve(values["logviewer.port"]),
}


def live_table():
    """Ends after its time or when its standard input ends, with a summary, as the real one does."""
    print("live table", flush=True)
    if os.environ.get("FAKE_JAVA_TABLE") == "wait":
        sys.stdin.read()
    print("summary", flush=True)


def act(name, arguments, all_arguments):
    """Does what the main class does, as far as bin/storm can tell."""
    if name.endswith((".ConfigValues", ".ContainerConfiguration")):
        if name.endswith(".ContainerConfiguration"):
            with open(arguments.pop(0), "w", encoding="utf-8") as file:
                file.write("# put together\n")
        values = json.loads(os.environ.get("FAKE_JAVA_VALUES", "{}"))
        print(json.dumps({key: values.get(key, "null") for key in arguments}))
    elif "FAKE_JAVA_SERVE" in os.environ and name in DAEMONS:
        DAEMONS[name](configuration(all_arguments))
    elif name.endswith(".ClusterStatus"):
        slots = len(configuration(all_arguments)["supervisor.slots.ports"])
        print(json.dumps({"supervisors": 1, "slots": slots,
                          "topologies": [{"name": "one", "status": "ACTIVE", "workers": 1, "executors": 5}]}))
    elif name.endswith(".LiveTable"):
        live_table()
    elif name == "io.eyewall.examples.Main" and arguments == ["--list"]:
        print("processing  spout -> sink\nwordcount  spout -> count*")


def main():
    """Notes the call, then acts or fails."""
    arguments = sys.argv[1:]
    note(arguments)
    name, own = main_class(arguments)
    fail_class, _, text = os.environ.get("FAKE_JAVA_FAIL", "").partition(":")
    if fail_class and name.endswith(fail_class):
        print(text, file=sys.stderr)
        return 1
    act(name, own, arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main())
