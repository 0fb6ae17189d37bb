package io.eyewall.tail.output;

import io.eyewall.client.seam.LocalEndpoint;
import io.eyewall.client.substitute.LoggedDrops;
import io.eyewall.tail.recording.HopRecorders;
import io.eyewall.tail.recording.LatencyRecordingConfiguration;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.TimeUnit;
import org.apache.storm.daemon.worker.WorkerConnections;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.utils.ConfigUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All outputs of one worker. In local mode, where a worker has neither a directory nor ports of its own, that is the
 * metrics alone.
 */
public final class WorkerOutputs implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerOutputs.class);
    private static final int MAX_PORT = 65_535;
    private static final long LOOK_EVERY_MS = 1_000;

    private final LatencyRecordingConfiguration configuration;
    private final HopCollector collector;
    private final LoggedDrops drops;
    private final Clock clock = Clock.systemUTC();

    /** Null before the start; used, like the next field, under this object's lock. */
    private LatencyReporter reporter;
    /** Null if nothing is served. */
    private LatencyEndpoint endpoint;
    private Timer queueWatch;

    /** Outputs that are not started yet. */
    public WorkerOutputs(LatencyRecordingConfiguration configuration, HopRecorders recorders, LoggedDrops drops) {
        this.configuration = configuration;
        this.drops = drops;
        collector = new HopCollector(recorders, configuration.precisionDigits());
    }

    /** Starts the outputs of a worker that starts. Outputs that cannot start are logged in worker.log. */
    public synchronized void start(WorkerState worker) {
        String topologyId = worker.getTopologyId();
        int port = worker.getPort();
        List<IntervalOutput> outputs = new ArrayList<>();
        if (!ConfigUtils.isLocalMode(worker.getConf())) {
            outputs.add(new IntervalLog(Path.of(ConfigUtils.workerArtifactsRoot(worker.getConf(), topologyId, port)),
                IntervalLog.MAX_FILE_BYTES));
            openEndpoint(worker);
        }
        outputs.add(new HopGauges(worker.getMetricRegistry(), configuration.precisionDigits()));
        reporter = new LatencyReporter(collector, outputs, clock, TimeUnit.SECONDS.toMillis(configuration.intervalSecs()));
        reporter.start();
    }

    /** Reports the last interval and ends the outputs. */
    @Override
    public synchronized void close() {
        if (reporter != null) {
            reporter.close();
        }
        if (endpoint != null) {
            queueWatch.cancel();
            endpoint.close();
        }
    }

    private void openEndpoint(WorkerState worker) {
        String topologyId = worker.getTopologyId();
        int workerPort = worker.getPort();
        int offset = configuration.endpointPortOffset();
        int port = workerPort + offset;
        LocalEndpoint local = WorkerConnections.transport(worker) instanceof LocalEndpoint of ? of : null;
        if (offset == 0 || (local == null && isBeyond(workerPort, offset))) {
            return;
        }
        try {
            QueuesPage queues = new QueuesPage(() -> WorkerQueues.of(worker), topologyId, clock);
            InetSocketAddress address = local == null ? new InetSocketAddress(port)
                : new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            String name = topologyName(topologyId);
            PrometheusPage metrics = new PrometheusPage(new PrometheusHops(collector, name), new PrometheusDrops(drops, name));
            endpoint = LatencyEndpoint.open(address, metrics, Map.of(
                "/latency", new LatencyPage(collector, topologyId, clock), "/queues", queues,
                "/worker", new WorkerPage(collector, topologyId, clock)));
            queueWatch = new Timer("queue-watch", true);
            queueWatch.schedule(looks(queues), LOOK_EVERY_MS, LOOK_EVERY_MS);
            if (local == null) {
                LOG.info("Latencies are served on port {}: /metrics for Prometheus, /latency for storm latency, /queues for"
                    + " storm back-pressure.", endpoint.port());
            } else {
                local.servesAt(endpoint.port());
                LOG.debug("The container reads the latencies of this instance at port {} of {}.", endpoint.port(), address.getAddress());
            }
        } catch (IOException e) {
            cannotBind(port, e);
        }
    }

    /** Whether the port of an endpoint would be none; says so in the log. */
    static boolean isBeyond(int workerPort, int offset) {
        if (workerPort + offset > MAX_PORT) {
            LOG.warn("Latencies are not served: port {} + {} is beyond {}. Set {} to less, or to 0.", workerPort, offset, MAX_PORT,
                LatencyRecordingConfiguration.ENDPOINT_PORT_OFFSET);
            return true;
        }
        return false;
    }

    /** Says that an endpoint has no port. */
    static void cannotBind(int port, IOException cause) {
        LOG.warn("Latencies are not served: port {} cannot be bound ({}). Free it, or set {} so that each worker's port + it is free,"
            + " or to 0.", port, cause.getMessage(), LatencyRecordingConfiguration.ENDPOINT_PORT_OFFSET);
    }

    /** Looks at the queues; a failure does not end the looks that follow. */
    private static TimerTask looks(QueuesPage queues) {
        return new TimerTask() {
            @Override
            public void run() {
                try {
                    queues.look();
                } catch (RuntimeException e) {
                    LOG.debug("The queues changed while they were looked at.", e);
                }
            }
        };
    }

    /** The id of a topology consists of its name, a number and the time of its submission. */
    static String topologyName(String topologyId) {
        return topologyId.replaceFirst("-\\d+-\\d+$", "");
    }
}
