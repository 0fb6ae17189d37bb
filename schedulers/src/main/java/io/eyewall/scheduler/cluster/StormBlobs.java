package io.eyewall.scheduler.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.security.auth.Subject;
import org.apache.storm.blobstore.BlobStore;
import org.apache.storm.blobstore.BlobStoreAclHandler;
import org.apache.storm.blobstore.BlobStoreUtils;
import org.apache.storm.generated.AccessControl;
import org.apache.storm.generated.AccessControlType;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.KeyAlreadyExistsException;
import org.apache.storm.generated.KeyNotFoundException;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.nimbus.NimbusInfo;
import org.apache.storm.utils.ServerUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Storm's blob store, with the rights of Nimbus. Clients reach it through Nimbus, with the access control of Storm's blobs. Opens the blob
 * store at its first use. Not thread-safe.
 */
public final class StormBlobs implements Blobs, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StormBlobs.class);

    private final Supplier<BlobStore> opener;
    private final BlobRights rights;
    private final Subject nimbus = BlobStoreUtils.getNimbusSubject();
    private BlobStore blobs;

    /** Takes what opens the blob store, and Nimbus's configuration. */
    public StormBlobs(Supplier<BlobStore> opener, Map<String, Object> conf) {
        this.opener = opener;
        rights = new BlobRights(conf);
    }

    /** The blob store of the Nimbus that has this configuration. */
    public static StormBlobs ofNimbus(Map<String, Object> conf) {
        return new StormBlobs(() -> ServerUtils.getNimbusBlobStore(conf, NimbusInfo.fromConf(conf), null), conf);
    }

    @Override
    public List<String> keys(String prefix) {
        List<String> keys = new ArrayList<>();
        for (Iterator<String> all = blobs().listKeys(); all.hasNext();) {
            String key = all.next();
            if (key.startsWith(prefix)) {
                keys.add(key);
            }
        }
        return keys;
    }

    @Override
    public Optional<byte[]> read(String key) {
        if (!keys(key).contains(key)) {
            return Optional.empty();
        }
        try {
            return Optional.of(blobs().readBlob(key, nimbus));
        } catch (KeyNotFoundException e) {
            return Optional.empty();
        } catch (AuthorizationException | IOException e) {
            throw new IllegalStateException("Cannot read blob " + key + ": " + e.getMessage(), e);
        }
    }

    @Override
    public Optional<byte[]> readOwn(String key) {
        Optional<byte[]> contents = read(key);
        Set<String> writers = contents.isPresent() ? writers(key) : Set.of();
        if (!writers.isEmpty()) {
            LOG.warn("Blob {} is ignored, since {} can write it.", key, writers);
            return Optional.empty();
        }
        return contents;
    }

    @Override
    public boolean isByOwner(String key, Map<String, Object> topologyConf) {
        return writers(key).stream().allMatch(writer -> rights.mayRebalance(writer, topologyConf));
    }

    @Override
    public boolean isByAdmin(String key) {
        return rights.areChecked() ? isByOwner(key, Map.of()) : rights.areOpen();
    }

    @Override
    public void write(String key, byte[] contents) {
        if (keys(key).contains(key)) {
            if (!writers(key).isEmpty()) {
                delete(key);
            } else if (replace(key, contents)) {
                return;
            }
        }
        AccessControl everybody = new AccessControl(AccessControlType.OTHER, BlobStoreAclHandler.READ);
        try {
            blobs().createBlob(key, contents, new SettableBlobMeta(new ArrayList<>(List.of(everybody))), nimbus);
        } catch (AuthorizationException | KeyAlreadyExistsException | IOException e) {
            throw new IllegalStateException("Cannot write blob " + key + ": " + e.getMessage(), e);
        }
    }

    @Override
    public boolean replace(String key, byte[] contents) {
        try {
            blobs().updateBlob(key, contents, nimbus);
            return true;
        } catch (KeyNotFoundException e) {
            return false;
        } catch (AuthorizationException | IOException e) {
            throw new IllegalStateException("Cannot write blob " + key + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void delete(String key) {
        try {
            blobs().deleteBlob(key, nimbus);
        } catch (KeyNotFoundException e) {
            LOG.debug("Blob {} is gone already.", key);
        } catch (AuthorizationException e) {
            throw new IllegalStateException("Cannot delete blob " + key + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        if (blobs != null) {
            blobs.shutdown();
        }
    }

    /** The users, Nimbus aside, that can write a blob; none where the cluster does not check that. */
    private Set<String> writers(String key) {
        if (!rights.areChecked()) {
            return Set.of();
        }
        try {
            return BlobRights.writers(blobs().getBlobMeta(key, nimbus).get_settable().get_acl());
        } catch (KeyNotFoundException e) {
            return Set.of();
        } catch (AuthorizationException e) {
            throw new IllegalStateException("Cannot read who can write blob " + key + ": " + e.getMessage(), e);
        }
    }

    private BlobStore blobs() {
        if (blobs == null) {
            blobs = opener.get();
        }
        return blobs;
    }
}
