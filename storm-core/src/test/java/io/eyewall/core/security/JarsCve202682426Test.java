package io.eyewall.core.security;

import static io.eyewall.core.security.Tenants.ADMIN;
import static io.eyewall.core.security.Tenants.MALLORY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.storm.generated.InvalidTopologyException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Which file a tenant submits a topology with. */
class JarsCve202682426Test {

    @AfterAll
    static void close() throws Exception {
        Upstream.attackedBy(Tenants.Close.class);
        new Tenants.Close().call();
    }

    @Test
    void shouldRefuseAFileOfItsHostAsAJar() throws Exception {
        assertEquals("a key of the host", Upstream.attackedBy(Jar.class));

        String message = refusal(new Jar());
        assertTrue(message.contains("was not uploaded to Nimbus"), message);
    }

    @Test
    void shouldTakeAJarThatWasUploaded() throws Exception {
        String location = Tenants.as(Tenants.ALICE, () -> {
            String jar = Tenants.nimbus().beginFileUpload();
            Tenants.nimbus().finishFileUpload(jar);
            return jar;
        });
        Tenants.submit(Tenants.ALICE, "uploaded", location, Map.of(), Tenants.topology());

        Path link = Files.createSymbolicLink(Path.of(location + ".link"), Path.of("/etc/hostname"));
        InvalidTopologyException refused = assertThrows(InvalidTopologyException.class,
            () -> Tenants.submit(Tenants.ALICE, "linked", link.toString(), Map.of(), Tenants.topology()));
        assertTrue(refused.get_msg().contains(link.toString()), refused.get_msg());
    }

    private static String refusal(Callable<?> attack) {
        return assertThrows(InvalidTopologyException.class, attack::call).get_msg();
    }

    /** Reads a file of Nimbus's host by submitting it as a jar. */
    static final class Jar implements Callable<String> {
        @Override
        public String call() throws Exception {
            Path secret = Files.writeString(Files.createTempFile("host", ".key"), "a key of the host");
            try {
                Tenants.submit(MALLORY, "jar", secret.toString(), Map.of(), Tenants.topology());
                return Tenants.read(ADMIN, Tenants.id("jar") + "-stormjar.jar");
            } finally {
                Files.delete(secret);
            }
        }
    }
}
