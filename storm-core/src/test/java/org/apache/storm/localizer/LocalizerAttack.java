package org.apache.storm.localizer;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.apache.storm.daemon.supervisor.AdvancedFSOps;
import org.apache.storm.generated.LocalAssignment;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.testing.TmpPath;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.Utils;

/**
 * A Supervisor fetches a blob whose local name leads out of the topology's directory; returns whether a link is in the place of what was
 * there. It is in upstream's package, since the parts of the localizer are not public.
 */
public final class LocalizerAttack implements Callable<Boolean> {

    private static final String TOPOLOGY = "topology-1";
    private static final String OWNER = "mallory";

    @Override
    public Boolean call() throws Exception {
        try (TmpPath local = new TmpPath()) {
            return linksIn(local.getFile().toPath());
        }
    }

    private static boolean linksIn(Path local) throws Exception {
        Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
        conf.put("storm.local.dir", local.toString());
        String topology = ConfigUtils.supervisorStormDistRoot(conf, TOPOLOGY);
        Files.createDirectories(Path.of(topology));
        Map<String, Object> topologyConf = Map.of("topology.blobstore.map", Map.of("blob", Map.of("localname", "../victim")));
        Files.write(Path.of(ConfigUtils.supervisorStormConfPath(topology)), Utils.toCompressedJsonConf(topologyConf));
        Files.write(Path.of(ConfigUtils.supervisorStormCodePath(topology)),
            Utils.serialize(new StormTopology(Map.of(), Map.of(), Map.of())));
        Path victim = Files.writeString(Path.of(topology).resolveSibling("victim"), "of another topology");
        LocalAssignment assignment = new LocalAssignment(TOPOLOGY, List.of());
        assignment.set_owner(OWNER);
        try (Fetched localizer = new Fetched(conf, local)) {
            localizer.requestDownloadTopologyBlobs(assignment, 6700, null).get();
        }
        return Files.isSymbolicLink(victim);
    }

    /** Has fetched the topology, and the blob. */
    private static final class Fetched extends AsyncLocalizer {

        private final LocalizedResource blob;

        Fetched(Map<String, Object> conf, Path local) throws Exception {
            super(conf, AdvancedFSOps.make(conf), local.toString(), new StormMetricsRegistry());
            blob = new LocalizedResource("blob", local, false, AdvancedFSOps.make(conf), conf, OWNER, new StormMetricsRegistry());
            Path file = blob.getCurrentSymlinkPath();
            Files.createDirectories(file.getParent());
            Files.writeString(file, "of mallory");
        }

        @Override
        CompletableFuture<Void> requestDownloadBaseTopologyBlobs(PortAndAssignment assignment, BlobChangingCallback callback) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        List<LocalizedResource> getBlobs(List<LocalResource> resources, PortAndAssignment assignment, BlobChangingCallback callback) {
            return List.of(blob);
        }
    }
}
