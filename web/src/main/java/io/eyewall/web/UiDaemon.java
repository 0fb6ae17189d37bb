package io.eyewall.web;

import io.eyewall.web.history.TopologyHistory;
import io.eyewall.web.server.Daemon;
import java.time.InstantSource;
import java.util.Map;

/** {@code storm ui}: serves the REST API and the pages until the JVM is asked to end. */
public final class UiDaemon {

    private UiDaemon() {
    }

    /** Runs with the configuration of {@code storm.yaml} and of the command line; ends with exit code 1 if a value or port is unusable. */
    public static void main(String[] arguments) {
        Daemon.run("ui", (conf, metrics) -> new UiServer(conf, history(conf), InstantSource.system()));
    }

    private static TopologyHistory history(Map<String, Object> conf) {
        return new UiSettings(conf).history() ? TopologyHistory.open(conf, InstantSource.system())
            : TopologyHistory.none("No history is kept: " + UiSettings.HISTORY + " is false in the storm.yaml of the UI.");
    }
}
