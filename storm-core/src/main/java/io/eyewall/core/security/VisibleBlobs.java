package io.eyewall.core.security;

import java.util.Iterator;
import java.util.NoSuchElementException;
import javax.security.auth.Subject;
import org.apache.storm.blobstore.BlobStore;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.KeyNotFoundException;

/**
 * The keys of the blobs on which a caller has any permission. Upstream's Nimbus lists all (CVE-2026-82432). For one thread at a time.
 */
final class VisibleBlobs implements Iterator<String> {

    private final BlobStore blobs;
    private final Subject caller;
    private final Iterator<String> all;
    private String next;

    VisibleBlobs(BlobStore blobs, Subject caller) {
        this.blobs = blobs;
        this.caller = caller;
        all = blobs.listKeys();
    }

    @Override
    public boolean hasNext() {
        while (next == null && all.hasNext()) {
            String key = all.next();
            next = isVisible(key) ? key : null;
        }
        return next != null;
    }

    @Override
    public String next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        String key = next;
        next = null;
        return key;
    }

    private boolean isVisible(String key) {
        try {
            blobs.getBlobMeta(key, caller);
            return true;
        } catch (AuthorizationException | KeyNotFoundException e) {
            return false;
        }
    }
}
