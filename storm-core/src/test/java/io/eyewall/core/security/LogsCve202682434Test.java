package io.eyewall.core.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.storm.daemon.supervisor.BasicContainer;
import org.apache.storm.utils.ConfigUtils;
import org.junit.jupiter.api.Test;

/** What daemons and clients log of a configuration. */
class LogsCve202682434Test {

    @Test
    void shouldLogNoSecrets() throws Exception {
        assertTrue(Upstream.attackedBy(Log.class).toString().contains("swordfish"));

        String logged = new Log().call();
        assertFalse(logged.contains("swordfish"), logged);
        assertTrue(logged.contains("topology.workers=1") && logged.contains("-Xmx1g -Dtrust.password=***** -Da=b"), logged);
        assertEquals("java '-Dkey.password=*****' org.Main",
            SupervisorCalls.loggedCommand(List.of("java", "-Dkey.password=swordfish", "org.Main")).replaceAll("'(java|org.Main)'", "$1"));
        try (InputStream woven = BasicContainer.class.getResourceAsStream("BasicContainer.class")) {
            assertTrue(new String(woven.readAllBytes(), StandardCharsets.ISO_8859_1).contains("loggedCommand"), "it is what is logged");
        }
    }

    /** Reads a log. */
    static final class Log implements Callable<String> {
        @Override
        public String call() {
            return ConfigUtils.maskPasswords(Map.of("storm.zookeeper.topology.auth.payload", "user:swordfish", "db.password", "swordfish",
                "db", Map.of("secret", "swordfish"), "worker.childopts", "-Xmx1g -Dtrust.password=swordfish -Da=b",
                "topology.workers", 1)).toString();
        }
    }
}
