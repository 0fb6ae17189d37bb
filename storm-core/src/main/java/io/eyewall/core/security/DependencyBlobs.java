package io.eyewall.core.security;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import javax.security.auth.Subject;
import org.apache.storm.blobstore.BlobStore;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.KeyNotFoundException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.utils.WrappedInvalidTopologyException;

/**
 * The blobs that a topology brings with it. Upstream's Nimbus removes any blob that a topology has named among them when the topology
 * ends, and gives up leadership if one is missing (CVE-2026-82441).
 */
final class DependencyBlobs {

    private static final String PREFIX = "dep-";
    private static final Pattern UUID = Pattern.compile("-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\\.|$)");

    private DependencyBlobs() {
    }

    /** All keys that a topology names, jars first. */
    static List<String> keys(StormTopology topology) {
        List<String> keys = new ArrayList<>();
        if (topology.is_set_dependency_jars()) {
            keys.addAll(topology.get_dependency_jars());
        }
        if (topology.is_set_dependency_artifacts()) {
            keys.addAll(topology.get_dependency_artifacts());
        }
        return keys;
    }

    /**
     * Checks what a topology names when it is submitted.
     *
     * @throws InvalidTopologyException names the key and the remedy
     */
    static void check(StormTopology topology, BlobStore blobs, Subject submitter) throws InvalidTopologyException, IOException {
        for (String key : keys(topology)) {
            if (!key.startsWith(PREFIX)) {
                throw refused(key, "is not one of a dependency: its name does not begin with " + PREFIX);
            }
            try {
                blobs.getBlob(key, submitter).close();
            } catch (KeyNotFoundException | IllegalArgumentException e) {
                throw refused(key, "does not exist");
            } catch (AuthorizationException e) {
                throw refused(key, "may not be read by you");
            }
        }
    }

    /**
     * Which blobs go with a topology that ends: its jars, and those of its artifacts that belong to one submission, which have a UUID in
     * their keys. What another topology names stays.
     */
    static List<String> removable(StormTopology ended, Set<String> keysOfOthers) {
        Collection<String> jars = ended.is_set_dependency_jars() ? ended.get_dependency_jars() : List.of();
        return keys(ended).stream().filter(key -> key.startsWith(PREFIX) && !keysOfOthers.contains(key))
            .filter(key -> jars.contains(key) || UUID.matcher(key).find()).distinct().toList();
    }

    private static InvalidTopologyException refused(String key, String fault) {
        return new WrappedInvalidTopologyException("The topology depends on the blob '" + key + "', which " + fault
            + ". Submit it with --jars or --artifacts, which upload what it depends on.");
    }
}
