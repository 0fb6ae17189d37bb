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
 * The board in the cluster's blob store, which every client reaches through Nimbus and with the access control of Storm's own blobs. Opens
 * the store when it is first used. For one thread.
 */
final class BlobScalingStore implements ScalingStore, AutoCloseable {

    /** How many events the log keeps. */
    static final int LOG_EVENTS = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(BlobScalingStore.class);

    private final Supplier<BlobStore> opening;
    private final Subject nimbus = BlobStoreUtils.getNimbusSubject();
    private BlobStore store;

    BlobScalingStore(Supplier<BlobStore> opening) {
        this.opening = opening;
    }

    @Override
    public List<ScalingRecord> posts() {
        List<ScalingRecord> posts = new ArrayList<>();
        for (Iterator<String> keys = store().listKeys(); keys.hasNext();) {
            String key = keys.next();
            if (key.startsWith(ScalingRecord.KEY_PREFIX)) {
                read(key, posts);
            }
        }
        return posts;
    }

    @Override
    public void answer(ScalingRecord post) {
        try {
            store().updateBlob(post.key(), post.toBytes(), nimbus);
        } catch (KeyNotFoundException e) {
            LOG.info("Nobody waits for the answer to order {} any more.", post.order().id());
        } catch (AuthorizationException | IOException e) {
            throw new IllegalStateException("Cannot answer order " + post.order().id() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void remove(ScalingRecord post) {
        delete(post.key());
    }

    @Override
    public List<ScalingEvent> events() {
        List<ScalingEvent> events = new ArrayList<>();
        try {
            readLog(events);
        } catch (AuthorizationException | IOException e) {
            throw new IllegalStateException("Cannot read the action log, blob " + ScalingRecord.LOG_KEY + ": " + e.getMessage(), e);
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
                store().updateBlob(ScalingRecord.LOG_KEY, contents, nimbus);
            } else {
                AccessControl everybody = new AccessControl(AccessControlType.OTHER, BlobStoreAclHandler.READ);
                store().createBlob(ScalingRecord.LOG_KEY, contents, new SettableBlobMeta(new ArrayList<>(List.of(everybody))), nimbus);
            }
        } catch (AuthorizationException | KeyNotFoundException | KeyAlreadyExistsException | IOException e) {
            throw new IllegalStateException("Cannot write the action log, blob " + ScalingRecord.LOG_KEY + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        if (store != null) {
            store.shutdown();
        }
    }

    private boolean readLog(List<ScalingEvent> events) throws AuthorizationException, IOException {
        for (Iterator<String> keys = store().listKeys(); keys.hasNext();) {
            if (keys.next().equals(ScalingRecord.LOG_KEY)) {
                try {
                    events.addAll(ScalingRecord.logEvents(store().readBlob(ScalingRecord.LOG_KEY, nimbus)));
                    return true;
                } catch (KeyNotFoundException e) {
                    return false;
                }
            }
        }
        return false;
    }

    private void read(String key, List<ScalingRecord> posts) {
        try {
            posts.add(ScalingRecord.of(store().readBlob(key, nimbus)));
        } catch (IllegalArgumentException e) {
            LOG.warn("Blob {} is taken away: {}", key, e.getMessage());
            delete(key);
        } catch (KeyNotFoundException | AuthorizationException | IOException e) {
            LOG.info("Blob {} cannot be read now: {}", key, e.getMessage());
        }
    }

    private void delete(String key) {
        try {
            store().deleteBlob(key, nimbus);
        } catch (KeyNotFoundException e) {
            LOG.debug("Blob {} is gone already.", key);
        } catch (AuthorizationException e) {
            throw new IllegalStateException("Cannot take away blob " + key + ": " + e.getMessage(), e);
        }
    }

    private BlobStore store() {
        if (store == null) {
            store = opening.get();
        }
        return store;
    }
}
