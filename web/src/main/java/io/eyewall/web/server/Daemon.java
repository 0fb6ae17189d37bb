package io.eyewall.web.server;

import java.util.Map;
import java.util.function.BiFunction;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a command that serves runs. Methods may be called from any thread. */
public interface Daemon extends AutoCloseable {

    /**
     * Begins to serve.
     *
     * @throws StartException if a port is taken, or a key store or filter is unusable
     */
    void start() throws StartException;

    /** Stops serving. */
    @Override
    void close();

    /** That a daemon could not start; the message says why and what to do. */
    final class StartException extends Exception {

        private static final long serialVersionUID = 1L;

        StartException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * Runs a daemon with the configuration of {@code storm.yaml} and of the command line until the JVM is asked to end; ends it with exit
     * code 1 if a value or port is unusable.
     *
     * @param command the daemon's
     */
    static void run(String command, BiFunction<Map<String, Object>, StormMetricsRegistry, Daemon> describe) {
        Logger log = LoggerFactory.getLogger(Daemon.class);
        Utils.setupDefaultUncaughtExceptionHandler();
        StormMetricsRegistry metrics = new StormMetricsRegistry();
        Map<String, Object> configuration;
        Daemon daemon;
        try {
            configuration = ConfigUtils.readStormConfig();
            daemon = describe.apply(configuration, metrics);
            daemon.start();
        } catch (IllegalArgumentException | StartException e) {
            log.error("storm {} cannot start: {}", command, e.getMessage(), e);
            System.err.println("storm " + command + ": " + e.getMessage());
            System.exit(1);
            return;
        }
        metrics.startMetricsReporters(configuration);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            metrics.stopMetricsReporters();
            daemon.close();
        }, "end of " + command));
    }
}
