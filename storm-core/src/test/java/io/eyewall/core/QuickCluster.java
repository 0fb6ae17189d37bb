package io.eyewall.core;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.LocalCluster;

/** Clusters in this JVM that do at once what Storm's defaults leave for some seconds: assign what was submitted, end workers. */
public final class QuickCluster {

    private static final Map<String, Object> AT_ONCE = Map.of(
        DaemonConfig.NIMBUS_MONITOR_FREQ_SECS, 1,
        DaemonConfig.SUPERVISOR_MONITOR_FREQUENCY_SECS, 1,
        Config.SUPERVISOR_WORKER_SHUTDOWN_SLEEP_SECS, 0);

    /** Where this JVM looks for ports: below those that connections get, and apart from other JVMs. */
    private static final int FIRST_PORT = 10_000 + (int) (ProcessHandle.current().pid() % 1_000) * 20;

    private QuickCluster() {
    }

    /** One host whose workers are connected by Storm's Netty transport, and not by that of local clusters: tuples go in frames. */
    public static LocalCluster overNetty(int workers) throws Exception {
        Map<String, Object> conf = new HashMap<>(AT_ONCE);
        conf.put(Config.STORM_LOCAL_MODE_ZMQ, true);
        return builder(workers, conf).withSupervisorSlotPortMin(freePorts(workers)).build();
    }

    /** The first of so many adjacent ports that are free. Else local clusters of all JVMs have the same, which Storm's transport binds. */
    public static int freePorts(int ports) {
        for (int first = FIRST_PORT; ; first++) {
            if (IntStream.range(first, first + ports).allMatch(QuickCluster::isFree)) {
                return first;
            }
        }
    }

    /** One host, which has room for so many workers. */
    public static LocalCluster of(int workers) throws Exception {
        return builder(workers, AT_ONCE).build();
    }

    private static LocalCluster.Builder builder(int workers, Map<String, Object> daemonConf) {
        return new LocalCluster.Builder().withSupervisors(1).withPortsPerSupervisor(workers).withDaemonConf(daemonConf);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
