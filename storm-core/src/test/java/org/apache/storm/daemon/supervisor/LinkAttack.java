package org.apache.storm.daemon.supervisor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.storm.testing.TmpPath;
import org.apache.storm.utils.ConfigUtils;

/**
 * A worker's container links a blob whose local name leads out of the worker's directory; returns whether a link is in the place of what
 * was there. It is in upstream's package, since the methods of a container are not public.
 */
public final class LinkAttack implements Callable<Boolean> {

    @Override
    public Boolean call() throws Exception {
        try (TmpPath local = new TmpPath()) {
            Map<String, Object> conf = Map.of("storm.local.dir", local.getPath(), "storm.resource.isolation.plugin.enable", false);
            Container container =
                IdleContainer.of(conf, Map.of("topology.blobstore.map", Map.of("blob", Map.of("localname", "../victim"))));
            Path worker = Path.of(ConfigUtils.workerRoot(conf, IdleContainer.WORKER));
            Path topology = Path.of(ConfigUtils.supervisorStormDistRoot(conf, IdleContainer.TOPOLOGY));
            Files.writeString(topology.resolveSibling("victim"), "of mallory");
            Path victim = Files.writeString(worker.resolveSibling("victim"), "of another worker");
            container.createBlobstoreLinks();
            return Files.isSymbolicLink(victim);
        }
    }
}
