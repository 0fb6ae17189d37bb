package io.eyewall.core.drpc;

import java.util.Map;
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
 * {@code drpc.invocations.port}. A call that no worker answers within {@code drpc.request.timeout.secs} fails. {@code storm drpc} adds
 * HTTP to it, in the module {@code web}.
 *
 * <p>A port that is taken ends the JVM, after a line in the log that names it, as with all of upstream's daemons. Methods may be called
 * from any thread.
 */
public final class DrpcDaemon implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DrpcDaemon.class);

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

    /** Runs without HTTP, with the configuration of {@code storm.yaml} and of the command line until the JVM is asked to end. */
    public static void main(String[] arguments) {
        Utils.setupDefaultUncaughtExceptionHandler();
        Map<String, Object> configuration = ConfigUtils.readStormConfig();
        StormMetricsRegistry metrics = new StormMetricsRegistry();
        DrpcDaemon daemon = new DrpcDaemon(configuration, metrics);
        metrics.startMetricsReporters(configuration);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            metrics.stopMetricsReporters();
            daemon.close();
        }, "end of DRPC"));
        daemon.start();
    }

    /** The calls of both sides, for another way to call. */
    public DRPC calls() {
        return calls;
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
