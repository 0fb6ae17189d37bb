package io.eyewall.core.security;

import static io.eyewall.core.security.Tenants.ALICE;
import static io.eyewall.core.security.Tenants.MALLORY;
import static io.eyewall.core.security.Tenants.as;
import static io.eyewall.core.security.Tenants.nimbus;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.storm.dependency.DependencyUploader;
import org.apache.storm.generated.AccessControl;
import org.apache.storm.generated.AccessControlType;
import org.apache.storm.utils.NimbusClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** The key of what a topology brings with it. */
class ArtifactsCve202682428Test {

    private static final int READ = 1;

    @AfterAll
    static void close() throws Exception {
        Upstream.attackedBy(Tenants.Close.class);
        new Tenants.Close().call();
    }

    @Test
    void shouldUploadAnArtifactUnderAKeyThatNobodyPredicts() throws Exception {
        assertEquals("bad", Upstream.attackedBy(PredictedKey.class));

        assertEquals("good", new PredictedKey().call());
    }

    /** Puts code under the key that somebody else's artifact will have. */
    static final class PredictedKey implements Callable<String> {
        @Override
        public String call() throws Exception {
            Tenants.create(MALLORY, "dep-org-library-1.0.jar", "bad", new AccessControl(AccessControlType.OTHER, READ));
            File good = Files.writeString(Files.createTempFile("library", ".jar"), "good").toFile();
            good.deleteOnExit();
            List<String> keys = as(ALICE, () -> {
                DependencyUploader uploader = new DependencyUploader();
                uploader.init();
                try (NimbusClient.LocalOverride override = new NimbusClient.LocalOverride(nimbus())) {
                    return uploader.uploadArtifacts(Map.of("org:library:1.0", good));
                } finally {
                    uploader.shutdown();
                }
            });
            return Tenants.read(ALICE, keys.get(0));
        }
    }
}
