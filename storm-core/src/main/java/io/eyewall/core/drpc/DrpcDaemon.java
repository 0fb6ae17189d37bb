package io.eyewall.core.drpc;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.storm.daemon.drpc.DRPC;
import org.apache.storm.daemon.drpc.DRPCThrift;
import org.apache.storm.generated.DistributedRPC;
import org.apache.storm.generated.DistributedRPCInvocations;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.security.auth.ThriftConnectionType;
import org.apache.storm.security.auth.ThriftServer;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.Utils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The DRPC server over Thrift: clients call functions on {@code drpc.port}, workers fetch the calls and return results on
 * {@code drpc.invocations.port}. A call that no worker answers within {@code drpc.request.timeout.secs} fails. There is no HTTP interface;
 * the log has a warning if a port for it is configured.
 *
 * <p>A port that is taken ends the JVM, after a line in the log that names it, as with all of upstream's daemons. Methods may be called
 * from any thread.
 */
public final class DrpcDaemon implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DrpcDaemon.class);

    private static final List<String> HTTP_PORTS = List.of("drpc.http.port", "drpc.https.port");

    private final DRPC calls;
    private final ThriftServer clientSide;
    private final ThriftServer workerSide;

    /** Binds both ports; no call is answered before {@link #start()}. */
    public DrpcDaemon(Map<String, Object> configuration, StormMetricsRegistry metrics) {
        calls = new DRPC(metrics, configuration);
        DRPCThrift service = new DRPCThrift(calls);
        clientSide = new ThriftServer(configuration, new DistributedRPC.Processor<>(service), ThriftConnectionType.DRPC);
        workerSide =
            new ThriftServer(configuration, new DistributedRPCInvocations.Processor<>(service), ThriftConnectionType.DRPC_INVOCATIONS);
    }

    /** Runs the daemon with the configuration of {@code storm.yaml} and of the command line until the JVM is asked to end. */
    public static void main(String[] arguments) {
        Utils.setupDefaultUncaughtExceptionHandler();
        Map<String, Object> configuration = ConfigUtils.readStormConfig();
        missingPorts(configured()).ifPresent(LOG::warn);
        StormMetricsRegistry metrics = new StormMetricsRegistry();
        DrpcDaemon daemon = new DrpcDaemon(configuration, metrics);
        metrics.startMetricsReporters(configuration);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            metrics.stopMetricsReporters();
            daemon.close();
        }, "end of DRPC"));
        daemon.start();
    }

    /** The values that {@link ConfigUtils#readStormConfig} puts over Storm's defaults. */
    private static Map<String, Object> configured() {
        String file = System.getProperty("storm.conf.file", "");
        Map<String, Object> configured =
            new HashMap<>(file.isEmpty() ? Utils.findAndReadConfigFile("storm.yaml", false) : Utils.findAndReadConfigFile(file, true));
        configured.putAll(Utils.readCommandLineOpts());
        return configured;
    }

    /**
     * A warning, in one line, about the ports for HTTP that are configured; empty if there are none.
     *
     * @param configured without Storm's defaults, which have a port for HTTP; a negative port is none
     */
    static Optional<String> missingPorts(Map<String, Object> configured) {
        List<String> missing = HTTP_PORTS.stream()
            .filter(key -> configured.get(key) instanceof Number port && port.intValue() >= 0)
            .map(key -> key + ": " + configured.get(key)).toList();
        return missing.isEmpty() ? Optional.empty()
            : Optional.of(String.join(", ", missing) + " is configured, but DRPC over HTTP is not part of this version and nothing listens"
                + " there. Call functions over Thrift, on drpc.port, or keep upstream's DRPC server.");
    }

    /** Begins to serve calls, on threads of its own that keep the JVM running until {@link #close()}. */
    public void start() {
        new Thread(workerSide::serve, "drpc for workers").start();
        new Thread(clientSide::serve, "drpc for clients").start();
        LOG.info("DRPC serves clients on port {} and workers on port {}", clientSide.getPort(), workerSide.getPort());
    }

    /** Stops serving. Calls that are under way fail. */
    @Override
    public void close() {
        calls.close();
        clientSide.stop();
        workerSide.stop();
    }
}
