package io.eyewall.scheduler.cluster;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import javax.security.auth.Subject;
import org.apache.storm.blobstore.BlobStore;
import org.apache.storm.blobstore.BlobStoreAclHandler;
import org.apache.storm.blobstore.BlobStoreUtils;
import org.apache.storm.blobstore.LocalFsBlobStore;
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
 *
 * <p>With Storm's default, {@code LocalFsBlobStore}, each Nimbus has its own blobs, and fetches those of others when they are created, not
 * when their contents are replaced. So a write goes to ZooKeeper first ({@link BlobNodes}), where the next leader reads it, and then to
 * this Nimbus's blob, which clients read.
 */
public final class StormBlobs implements Blobs, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(StormBlobs.class);

    private final Supplier<BlobStore> opener;
    private final Map<String, Object> conf;
    private final BlobRights rights;
    private final Subject nimbus = BlobStoreUtils.getNimbusSubject();
    private BlobStore blobs;
    /** Null before the first use, and with a blob store that all Nimbuses share. */
    private BlobNodes nodes;
    /** By key, the write of the node in ZooKeeper whose contents this Nimbus's blob has. */
    private final Map<String, Long> stored = new HashMap<>();

    /** Takes what opens the blob store, and Nimbus's configuration. */
    public StormBlobs(Supplier<BlobStore> opener, Map<String, Object> conf) {
        this.opener = opener;
        this.conf = conf;
        rights = new BlobRights(conf);
    }

    /** The blob store of the Nimbus that has this configuration. */
    public static StormBlobs ofNimbus(Map<String, Object> conf) {
        NimbusInfo info = NimbusInfo.fromConf(conf);
        info.setLeader(true); // Only a leader's scheduler runs. So other Nimbuses copy what it creates, and it never fetches an older copy.
        return new StormBlobs(() -> ServerUtils.getNimbusBlobStore(conf, info, null), conf);
    }

    @Override
    public List<String> keys(String prefix) {
        open();
        List<String> keys = nodes == null ? storedKeys() : nodes.keys();
        stored.keySet().retainAll(keys);
        return keys.stream().filter(key -> key.startsWith(prefix)).toList();
    }

    @Override
    public Optional<byte[]> read(String key) {
        open();
        return nodes == null ? readStored(key) : nodes.read(key).flatMap(node -> read(key, node));
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
    public void refresh(String prefix) {
        open();
        if (nodes != null) {
            keys(prefix).stream().filter(key -> nodes.modification(key).orElse(-1) != stored.getOrDefault(key, 0L)).forEach(this::read);
        }
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
        open();
        AccessControl everybody = new AccessControl(AccessControlType.OTHER, BlobStoreAclHandler.READ);
        SettableBlobMeta meta = new SettableBlobMeta(new ArrayList<>(List.of(everybody)));
        if (writers(key).isEmpty() && replace(key, contents, meta)) {
            return;
        }
        // Somebody else's, or of a key that is no longer registered.
        delete(key);
        try {
            blobs.createBlob(key, contents, meta, nimbus);
        } catch (AuthorizationException | KeyAlreadyExistsException | IOException e) {
            throw new IllegalStateException("Cannot write blob " + key + ": " + e.getMessage(), e);
        }
        if (nodes != null) {
            nodes.write(key, meta, contents).ifPresent(modification -> stored.put(key, modification));
        }
    }

    @Override
    public boolean replace(String key, byte[] contents) {
        open();
        try {
            return replace(key, contents, nodes == null ? null : blobs.getBlobMeta(key, nimbus).get_settable());
        } catch (KeyNotFoundException e) {
            return false;
        } catch (AuthorizationException e) {
            throw new IllegalStateException("Cannot read who can write blob " + key + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void delete(String key) {
        open();
        try {
            blobs.deleteBlob(key, nimbus);
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
        if (nodes != null) {
            nodes.close();
        }
    }

    private Optional<byte[]> read(String key, BlobNode node) {
        if (node.isWhole()) {
            if (stored.getOrDefault(key, 0L) != node.modification()) {
                store(key, node.contents(), node.meta());
                stored.put(key, node.modification());
            }
            return Optional.of(node.contents());
        }
        // Storm would fetch a blob that is not here from another Nimbus, which may be down.
        Optional<byte[]> mine = storedKeys().contains(key) ? readStored(key) : Optional.empty();
        if (node.isWritten() && mine.filter(node::isOf).isEmpty()) {
            LOG.warn("Blob {} is ignored, since another Nimbus has a newer one, which is too large for ZooKeeper.", key);
            return Optional.empty();
        }
        mine.ifPresent(contents -> stored.put(key, node.modification()));
        return mine;
    }

    /** Replaces the contents of a blob; returns whether there is one. */
    private boolean replace(String key, byte[] contents, SettableBlobMeta meta) {
        if (nodes == null) {
            return update(key, contents);
        }
        OptionalLong modification = nodes.write(key, meta, contents);
        if (modification.isPresent()) {
            store(key, contents, meta);
            stored.put(key, modification.getAsLong());
        }
        return modification.isPresent();
    }

    /** Writes this Nimbus's blob, which is created if there is none. */
    private void store(String key, byte[] contents, SettableBlobMeta meta) {
        try {
            // Storm would fetch a blob that is to be updated and is not here.
            if (storedKeys().contains(key)) {
                blobs.updateBlob(key, contents, nimbus);
            } else {
                blobs.createBlob(key, contents, meta, nimbus);
            }
        } catch (AuthorizationException | KeyNotFoundException | KeyAlreadyExistsException | IOException e) {
            throw new IllegalStateException("Cannot write blob " + key + ": " + e.getMessage(), e);
        }
    }

    private boolean update(String key, byte[] contents) {
        try {
            blobs.updateBlob(key, contents, nimbus);
            return true;
        } catch (KeyNotFoundException e) {
            return false;
        } catch (AuthorizationException | IOException e) {
            throw new IllegalStateException("Cannot write blob " + key + ": " + e.getMessage(), e);
        }
    }

    /** The keys of this Nimbus's blobs. */
    private List<String> storedKeys() {
        List<String> keys = new ArrayList<>();
        for (Iterator<String> all = blobs.listKeys(); all.hasNext();) {
            keys.add(all.next());
        }
        return keys;
    }

    private Optional<byte[]> readStored(String key) {
        try {
            return Optional.of(blobs.readBlob(key, nimbus));
        } catch (KeyNotFoundException e) {
            return Optional.empty();
        } catch (AuthorizationException | IOException e) {
            throw new IllegalStateException("Cannot read blob " + key + ": " + e.getMessage(), e);
        } catch (RuntimeException e) {
            if (e.getCause() instanceof FileNotFoundException || e.getCause() instanceof NoSuchFileException) {
                return Optional.empty(); // Its access control is there, and its contents are on the way.
            }
            throw e;
        }
    }

    /** The users, Nimbus aside, that can write a blob; none where the cluster does not check that. */
    private Set<String> writers(String key) {
        if (!rights.areChecked()) {
            return Set.of();
        }
        open();
        try {
            return BlobRights.writers(blobs.getBlobMeta(key, nimbus).get_settable().get_acl());
        } catch (KeyNotFoundException e) {
            return Set.of();
        } catch (AuthorizationException e) {
            throw new IllegalStateException("Cannot read who can write blob " + key + ": " + e.getMessage(), e);
        }
    }

    private void open() {
        if (blobs == null) {
            blobs = opener.get();
            nodes = blobs instanceof LocalFsBlobStore ? new BlobNodes(conf) : null;
        }
    }
}
