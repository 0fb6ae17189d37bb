package io.eyewall.core.security;

import io.eyewall.core.nimbus.NimbusParts;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.storm.blobstore.BlobStore;
import org.apache.storm.daemon.nimbus.Nimbus;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.KeyNotFoundException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes dependencies that belong to no topology, such as those of a submission that failed. For the thread that cleans up.
 */
public final class DependencySweep {

    private static final Logger LOG = LoggerFactory.getLogger(DependencySweep.class);

    /** When a sweep has first met the blob without a topology. A blob store does not tell when a blob was made. */
    private final Map<String, Long> orphanSinceMs = new HashMap<>();
    private long nextMs = Long.MIN_VALUE;

    static DependencySweep of(Nimbus nimbus) {
        return NimbusParts.of(nimbus, DependencySweep.class, DependencySweep::new);
    }

    /** Whether as much time has passed since this was last true. */
    boolean isDue(long nowMs, long intervalMs) {
        boolean due = nowMs >= nextMs;
        if (due) {
            nextMs = nowMs + intervalMs;
        }
        return due;
    }

    /**
     * Removes what has had no topology for some time. Only keys with a UUID count: no other submission can use them.
     *
     * @param used what the topologies of the cluster depend on
     * @param nowMs the time, from any origin
     * @param expirationMs how long an upload may wait for its submission
     */
    void sweep(BlobStore blobs, Set<String> used, long nowMs, long expirationMs) {
        Set<String> orphans = new TreeSet<>();
        blobs.listKeys().forEachRemaining(key -> {
            if (DependencyBlobs.isDependency(key) && DependencyBlobs.isUnique(key) && !used.contains(key)) {
                orphans.add(key);
            }
        });
        orphanSinceMs.keySet().retainAll(orphans);
        for (String key : orphans) {
            if (nowMs - orphanSinceMs.computeIfAbsent(key, any -> nowMs) >= expirationMs) {
                remove(key, blobs);
            }
        }
    }

    private void remove(String key, BlobStore blobs) {
        try {
            blobs.deleteBlob(key, Nimbus.NIMBUS_SUBJECT);
            LOG.info("The dependency {} is removed: no topology uses it.", key);
        } catch (KeyNotFoundException e) {
            LOG.info("The dependency {} is gone already.", key);
        } catch (AuthorizationException e) {
            LOG.warn("The dependency {}, which no topology uses, cannot be removed: {}", key, e.get_msg());
        }
        orphanSinceMs.remove(key);
    }
}
