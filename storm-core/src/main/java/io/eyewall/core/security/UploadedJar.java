package io.eyewall.core.security;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.utils.WrappedInvalidTopologyException;

/**
 * Whether a client has uploaded the jar that it submits a topology with. Upstream's Nimbus opens any file of its host that a client names,
 * and gives it to the topology's workers (CVE-2026-82426).
 */
final class UploadedJar {

    private UploadedJar() {
    }

    /**
     * Checks where the jar is, behind all links.
     *
     * @param location what the client says; null for none, as in local mode
     * @param inbox Nimbus's directory for uploads
     * @throws InvalidTopologyException if it is not a file in the inbox
     */
    static void check(String location, Path inbox) throws InvalidTopologyException {
        if (location != null && !isIn(inbox, location)) {
            throw new WrappedInvalidTopologyException("The jar '" + location + "' was not uploaded to Nimbus, or was removed after"
                + " nimbus.inbox.jar.expiration.secs. Upload it with beginFileUpload, as `storm jar` does, and submit the location that"
                + " this returns.");
        }
    }

    private static boolean isIn(Path inbox, String location) {
        try {
            Path jar = Path.of(location).toRealPath();
            return Files.isRegularFile(jar) && inbox.toRealPath().equals(jar.getParent());
        } catch (IOException | IllegalArgumentException e) {
            return false;
        }
    }
}
