package io.eyewall.web;

import java.time.InstantSource;
import java.util.Map;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code storm ui}: serves the REST API and the pages until the JVM is asked to end. */
public final class UiDaemon {

    private static final Logger LOG = LoggerFactory.getLogger(UiDaemon.class);

    private UiDaemon() {
    }

    /** Runs with the configuration of {@code storm.yaml} and of the command line; ends with exit code 1 if a value or port is unusable. */
    public static void main(String[] arguments) {
        Utils.setupDefaultUncaughtExceptionHandler();
        Map<String, Object> configuration;
        UiServer server;
        try {
            configuration = ConfigUtils.readStormConfig();
            server = new UiServer(configuration, InstantSource.system());
            server.start();
        } catch (IllegalArgumentException | UiServer.StartException e) {
            LOG.error("The UI cannot start: {}", e.getMessage(), e);
            System.err.println("storm ui: " + e.getMessage());
            System.exit(1);
            return;
        }
        StormMetricsRegistry metrics = new StormMetricsRegistry();
        metrics.startMetricsReporters(configuration);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            metrics.stopMetricsReporters();
            server.close();
        }, "end of the UI"));
        LOG.info("The UI serves {}", server.addresses());
    }
}
