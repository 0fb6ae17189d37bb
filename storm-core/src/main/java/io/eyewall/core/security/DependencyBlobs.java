package io.eyewall.core.security;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import javax.security.auth.Subject;
import org.apache.storm.blobstore.BlobStore;
import org.apache.storm.blobstore.BlobStoreAclHandler;
import org.apache.storm.daemon.nimbus.Nimbus;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.KeyNotFoundException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.security.auth.SingleUserPrincipal;
import org.apache.storm.utils.WrappedInvalidTopologyException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blobs that a topology brings with it. Upstream's Nimbus removes any blob that a topology has named among them when the topology
 * ends, deletes one for its owner while the topology needs it, and gives up leadership if one is missing (CVE-2026-82441).
 */
final class DependencyBlobs {

    private static final Logger LOG = LoggerFactory.getLogger(DependencyBlobs.class);
    private static final String PREFIX = "dep-";
    private static final Pattern UUID = Pattern.compile("-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(\\.|$)");

    private DependencyBlobs() {
    }

    /** Whether a blob is a dependency, by its name. */
    static boolean isDependency(String key) {
        return key.startsWith(PREFIX);
    }

    /** Whether the key belongs to one upload, and nobody knew it before. */
    static boolean isUnique(String key) {
        return UUID.matcher(key).find();
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
            if (!isDependency(key)) {
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
     * Which blobs may go with a topology that ends: its jars, and those of its artifacts that belong to one submission, which have a UUID
     * in their keys. What another topology names stays.
     */
    static List<String> removable(StormTopology ended, Set<String> keysOfOthers) {
        Collection<String> jars = ended.is_set_dependency_jars() ? ended.get_dependency_jars() : List.of();
        return keys(ended).stream().filter(key -> isDependency(key) && !keysOfOthers.contains(key))
            .filter(key -> jars.contains(key) || isUnique(key)).distinct().toList();
    }

    /**
     * Whether a user could delete a blob himself. To name a blob as a dependency he has to be able to read it, and no more.
     *
     * @param user the local name of a user; empty for nobody in particular
     */
    static boolean isDeletable(String key, BlobStore blobs, BlobStoreAclHandler permissions, String user) {
        Set<SingleUserPrincipal> principals = user.isEmpty() ? Set.of() : Set.of(new SingleUserPrincipal(user));
        try {
            permissions.hasPermissions(blobs.getBlobMeta(key, Nimbus.NIMBUS_SUBJECT).get_settable().get_acl(), BlobStoreAclHandler.WRITE,
                new Subject(true, principals, Set.of(), Set.of()), key);
            return true;
        } catch (AuthorizationException e) {
            LOG.info("The dependency {} stays, since it is not {}'s, whose topology ends.", key, user);
            return false;
        } catch (KeyNotFoundException e) {
            return false;
        }
    }

    private static InvalidTopologyException refused(String key, String fault) {
        return new WrappedInvalidTopologyException("The topology depends on the blob '" + key + "', which " + fault
            + ". Submit it with --jars or --artifacts, which upload what it depends on.");
    }
}
