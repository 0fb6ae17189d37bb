package io.eyewall.core;

import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.LocalCluster;

/** Clusters in this JVM that do at once what Storm's defaults leave for some seconds: assign what was submitted, end workers. */
public final class QuickCluster {

    private static final Map<String, Object> AT_ONCE = Map.of(
        DaemonConfig.NIMBUS_MONITOR_FREQ_SECS, 1,
        DaemonConfig.SUPERVISOR_MONITOR_FREQUENCY_SECS, 1,
        Config.SUPERVISOR_WORKER_SHUTDOWN_SLEEP_SECS, 0);

    private QuickCluster() {
    }

    /** One host, which has room for so many workers. */
    public static LocalCluster of(int workers) throws Exception {
        return new LocalCluster.Builder().withSupervisors(1).withPortsPerSupervisor(workers).withDaemonConf(AT_ONCE).build();
    }
}
