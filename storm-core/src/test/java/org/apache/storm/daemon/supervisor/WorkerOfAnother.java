package org.apache.storm.daemon.supervisor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.storm.testing.TmpPath;
import org.apache.storm.utils.ConfigUtils;

/**
 * A Supervisor looks whether a worker has ended whose topology belongs to another user than its own; returns what it finds while the
 * worker's process runs.
 */
public final class WorkerOfAnother implements Callable<Boolean> {

    @Override
    public Boolean call() throws Exception {
        Process process = new ProcessBuilder("sleep", "600").start();
        try (TmpPath local = new TmpPath()) {
            Map<String, Object> conf = Map.of("storm.local.dir", local.getPath(), "storm.resource.isolation.plugin.enable", false);
            Container container = IdleContainer.of(conf, Map.of());
            Path pids = Files.createDirectories(Path.of(ConfigUtils.workerPidsRoot(conf, IdleContainer.WORKER)));
            Files.createFile(pids.resolve(String.valueOf(process.pid())));
            Path user = Path.of(ConfigUtils.workerUserFile(conf, IdleContainer.WORKER));
            Files.createDirectories(user.getParent());
            Files.writeString(user, "alice");
            return container.areAllProcessesDead();
        } finally {
            process.destroyForcibly().waitFor();
        }
    }
}
