package io.eyewall.core.security;

import io.eyewall.client.security.SecurityConfiguration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether a Supervisor would use upstream's setuid program {@code worker-launcher}, in which a local user can win races against root
 * (CVE-2026-82429, CVE-2026-82430).
 */
public final class WorkerLaunchers {

    private static final String RUN_AS_USER = "supervisor.run.worker.as.user";
    private static final String PLUGIN = "storm.resource.isolation.plugin";
    private static final String PLUGIN_ENABLED = "storm.resource.isolation.plugin.enable";
    private static final List<String> BY_LAUNCHER =
        List.of("org.apache.storm.container.docker.DockerManager", "org.apache.storm.container.oci.RuncLibContainerManager");

    private WorkerLaunchers() {
    }

    /**
     * Before a Supervisor is made.
     *
     * @throws IllegalArgumentException if it would use the launcher, with the reason and the remedy
     */
    public static void check(Map<String, Object> conf) {
        Optional<String> user = user(conf);
        if (user.isPresent() && !new SecurityConfiguration(conf).isLauncherTrusted()) {
            throw new IllegalArgumentException(user.get() + " needs the setuid program worker-launcher, which is not part of Eyewall: a"
                + " local user can win races against it and become root (CVE-2026-82429, CVE-2026-82430). Run each tenant's Supervisor as"
                + " that tenant, or set " + SecurityConfiguration.LAUNCHER_TRUSTED + ": true to use upstream's program all the same.");
        }
    }

    private static Optional<String> user(Map<String, Object> conf) {
        if (isTrue(conf.get(RUN_AS_USER))) {
            return Optional.of(RUN_AS_USER + ": true");
        }
        Object plugin = conf.get(PLUGIN);
        return isTrue(conf.get(PLUGIN_ENABLED)) && plugin != null && BY_LAUNCHER.contains(plugin)
            ? Optional.of(PLUGIN + ": " + plugin) : Optional.empty();
    }

    private static boolean isTrue(Object value) {
        return Boolean.parseBoolean(String.valueOf(value));
    }
}
