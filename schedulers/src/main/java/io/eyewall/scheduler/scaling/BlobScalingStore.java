package io.eyewall.scheduler.scaling;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps records and the log in the cluster's blob store, which clients reach through Nimbus, with the access control of Storm's blobs.
 * Opens the blob store at its first use. Not thread-safe.
 */
final class BlobScalingStore implements ScalingStore, AutoCloseable {

    /** The number of events that the log keeps. */
    static final int LOG_EVENTS = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(BlobScalingStore.class);

    private final Supplier<BlobStore> opener;
    private final Subject nimbus = BlobStoreUtils.getNimbusSubject();
    private BlobStore blobs;

    BlobScalingStore(Supplier<BlobStore> opener) {
        this.opener = opener;
    }

    @Override
    public List<ScalingRecord> records() {
        List<ScalingRecord> records = new ArrayList<>();
        for (Iterator<String> keys = blobs().listKeys(); keys.hasNext();) {
            String key = keys.next();
            if (key.startsWith(ScalingRecord.KEY_PREFIX)) {
                read(key, records);
            }
        }
        return records;
    }

    @Override
    public void respond(ScalingRecord record) {
        try {
            blobs().updateBlob(record.key(), record.toBytes(), nimbus);
        } catch (KeyNotFoundException e) {
            LOG.info("No client waits for the response to request {}: it has removed the request.", record.request().id());
        } catch (AuthorizationException | IOException e) {
            throw new IllegalStateException("Cannot respond to request " + record.request().id() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void remove(ScalingRecord record) {
        delete(record.key());
    }

    @Override
    public List<ScalingEvent> events() {
        List<ScalingEvent> events = new ArrayList<>();
        try {
            readLog(events);
        } catch (AuthorizationException | IOException e) {
            throw new IllegalStateException("Cannot read the scaling log, blob " + ScalingRecord.LOG_KEY + ": " + e.getMessage(), e);
        }
        return events;
    }

    @Override
    public void log(List<ScalingEvent> events) {
        try {
            List<ScalingEvent> all = new ArrayList<>();
            boolean exists = readLog(all);
            all.addAll(events);
            byte[] contents = ScalingRecord.logBytes(all.subList(Math.max(0, all.size() - LOG_EVENTS), all.size()));
            if (exists) {
                blobs().updateBlob(ScalingRecord.LOG_KEY, contents, nimbus);
            } else {
                AccessControl everybody = new AccessControl(AccessControlType.OTHER, BlobStoreAclHandler.READ);
                blobs().createBlob(ScalingRecord.LOG_KEY, contents, new SettableBlobMeta(new ArrayList<>(List.of(everybody))), nimbus);
            }
        } catch (AuthorizationException | KeyNotFoundException | KeyAlreadyExistsException | IOException e) {
            throw new IllegalStateException("Cannot write the scaling log, blob " + ScalingRecord.LOG_KEY + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        if (blobs != null) {
            blobs.shutdown();
        }
    }

    private boolean readLog(List<ScalingEvent> events) throws AuthorizationException, IOException {
        for (Iterator<String> keys = blobs().listKeys(); keys.hasNext();) {
            if (keys.next().equals(ScalingRecord.LOG_KEY)) {
                try {
                    events.addAll(ScalingRecord.logEvents(blobs().readBlob(ScalingRecord.LOG_KEY, nimbus)));
                    return true;
                } catch (KeyNotFoundException e) {
                    return false;
                }
            }
        }
        return false;
    }

    private void read(String key, List<ScalingRecord> records) {
        try {
            records.add(ScalingRecord.of(blobs().readBlob(key, nimbus)));
        } catch (IllegalArgumentException e) {
            LOG.warn("Blob {} is deleted: {}", key, e.getMessage());
            delete(key);
        } catch (KeyNotFoundException | AuthorizationException | IOException e) {
            LOG.info("Blob {} cannot be read in this round: {}", key, e.getMessage());
        }
    }

    private void delete(String key) {
        try {
            blobs().deleteBlob(key, nimbus);
        } catch (KeyNotFoundException e) {
            LOG.debug("Blob {} is gone already.", key);
        } catch (AuthorizationException e) {
            throw new IllegalStateException("Cannot delete blob " + key + ": " + e.getMessage(), e);
        }
    }

    private BlobStore blobs() {
        if (blobs == null) {
            blobs = opener.get();
        }
        return blobs;
    }
}
