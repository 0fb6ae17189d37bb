package io.eyewall.core.nimbus;

import static org.junit.jupiter.api.Assertions.assertSame;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.daemon.supervisor.StandaloneSupervisor;
import org.apache.storm.daemon.supervisor.Supervisor;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.metric.StormMetricsRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalSupervisorsTest {

    @TempDir
    private Path directory;

    @Test
    void shouldKnowNimbusWhenItIsLaunched() throws Exception {
        try (LocalCluster cluster = new LocalCluster.Builder().withSupervisors(0).build()) {
            Map<String, Object> conf = new HashMap<>(cluster.getDaemonConf());
            conf.put(Config.STORM_LOCAL_DIR, directory.toString());
            Nimbus.Iface[] known = new Nimbus.Iface[1];
            Supervisor supervisor = new Supervisor(conf, null, new StandaloneSupervisor(), new StormMetricsRegistry()) {
                @Override
                public void launch() {
                    known[0] = getLocalNimbus();
                }
            };

            LocalSupervisors.launch(supervisor, cluster.getNimbus());

            assertSame(cluster.getNimbus(), known[0]);
        }
    }
}
