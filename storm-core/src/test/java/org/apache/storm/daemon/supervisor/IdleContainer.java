package org.apache.storm.daemon.supervisor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.storm.container.DefaultResourceIsolationManager;
import org.apache.storm.generated.LocalAssignment;
import org.apache.storm.generated.ProfileRequest;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.utils.ConfigUtils;

/** A worker's container that launches nothing. */
final class IdleContainer extends Container {

    static final String TOPOLOGY = "topology-1";
    static final String WORKER = "worker-1";

    private IdleContainer(Map<String, Object> conf, DefaultResourceIsolationManager isolation, Map<String, Object> topologyConf)
            throws IOException {
        super(ContainerType.LAUNCH, conf, "supervisor", 6699, 6700, new LocalAssignment(TOPOLOGY, List.of()), isolation, WORKER,
            topologyConf, new AdvancedFSOps(conf) {
                @Override
                public boolean doRequiredTopoFilesExist(Map<String, Object> any, String topologyId) {
                    return true;
                }
            }, new StormMetricsRegistry(), new ContainerMemoryTracker(new StormMetricsRegistry()));
    }

    /** In the Supervisor's directory of {@code conf}, in which the topology's and the worker's are made. */
    static IdleContainer of(Map<String, Object> conf, Map<String, Object> topologyConf) throws IOException {
        Files.createDirectories(Path.of(ConfigUtils.workerRoot(conf, WORKER)));
        Files.createDirectories(Path.of(ConfigUtils.supervisorStormDistRoot(conf, TOPOLOGY)));
        DefaultResourceIsolationManager isolation = new DefaultResourceIsolationManager();
        isolation.prepare(conf);
        return new IdleContainer(conf, isolation, topologyConf);
    }

    @Override
    public void launch() {
        throw new UnsupportedOperationException("It launches nothing.");
    }

    @Override
    public void relaunch() {
        throw new UnsupportedOperationException("It launches nothing.");
    }

    @Override
    public boolean didMainProcessExit() {
        return false;
    }

    @Override
    public boolean runProfiling(ProfileRequest request, boolean stop) {
        return false;
    }
}
