package io.eyewall.core.security;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.storm.daemon.supervisor.Supervisor;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

/** Supervisors that would use a setuid program. */
class LauncherCve202682429Cve202682430Test {

    private static final String PAST_THE_CHECK = "authorization is turned on for nimbus but not for the supervisor";

    @Test
    void shouldNotUseTheSetuidLauncher() throws Exception {
        assertTrue(Upstream.attackedBy(Launcher.class).toString().contains(PAST_THE_CHECK));

        String refusal = new Launcher().call();
        assertTrue(refusal.startsWith("supervisor.run.worker.as.user: true needs the setuid program worker-launcher"), refusal);
        String docker = Launcher.startedWith(Map.of("storm.resource.isolation.plugin.enable", true,
            "storm.resource.isolation.plugin", "org.apache.storm.container.docker.DockerManager"));
        assertTrue(docker.contains("DockerManager needs the setuid program"), docker);
        assertTrue(Launcher.startedWith(Map.of("supervisor.run.worker.as.user", true,
            "supervisor.worker.launcher.trusted", true)).contains(PAST_THE_CHECK));
    }

    /** Starts a Supervisor that uses the setuid launcher; it does not come far, since authorization is only half configured. */
    static final class Launcher implements Callable<String> {
        @Override
        public String call() throws Exception {
            return startedWith(Map.of("supervisor.run.worker.as.user", true));
        }

        static String startedWith(Map<String, Object> keys) throws Exception {
            Map<String, Object> conf = Utils.readDefaultConfig();
            conf.put("nimbus.authorizer", "org.apache.storm.security.auth.authorizer.SimpleACLAuthorizer");
            conf.putAll(keys);
            try (Supervisor supervisor = new Supervisor(conf, null, null, new StormMetricsRegistry())) {
                return "started";
            } catch (IllegalStateException | IllegalArgumentException e) {
                return e.getMessage();
            }
        }
    }
}
