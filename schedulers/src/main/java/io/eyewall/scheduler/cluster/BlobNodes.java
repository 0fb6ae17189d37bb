package io.eyewall.scheduler.cluster;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.apache.storm.blobstore.BlobStoreUtils;
import org.apache.storm.cluster.DaemonType;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.shade.org.apache.curator.framework.CuratorFramework;
import org.apache.storm.shade.org.apache.zookeeper.KeeperException;
import org.apache.storm.shade.org.apache.zookeeper.data.Stat;

/**
 * The newest contents of blobs, in the nodes of ZooKeeper in which Storm registers their keys. Storm uses only the children of these nodes,
 * and removes a node with its blob. Not thread-safe.
 *
 * <p>A write fails if another Nimbus has written the blob since this one last read or wrote it. So a Nimbus that no longer leads cannot
 * replace what it has not seen.
 */
final class BlobNodes implements AutoCloseable {

    private static final int ANY_VERSION = -1;

    private final CuratorFramework zooKeeper;
    /** What this Nimbus last read or wrote, by key. */
    private final Map<String, Stat> seen = new HashMap<>();

    /** The nodes of the cluster that has this configuration. Fails at the first use if ZooKeeper cannot be reached. */
    BlobNodes(Map<String, Object> conf) {
        zooKeeper = BlobStoreUtils.createZKClient(conf, DaemonType.NIMBUS);
    }

    /** The keys of all blobs, some of which may have no contents yet. */
    List<String> keys() {
        List<String> keys = request("", () -> zooKeeper.getChildren().forPath(path(""))).orElse(List.of());
        seen.keySet().retainAll(keys);
        return keys;
    }

    /** What the node of a blob has; empty if there is no such blob. */
    Optional<BlobNode> read(String key) {
        Stat stat = new Stat();
        Optional<BlobNode> node = request(key, () -> BlobNode.of(zooKeeper.getData().storingStatIn(stat).forPath(path(key)),
            stat.getMzxid()));
        note(key, node.map(found -> stat));
        return node;
    }

    /** The id that ZooKeeper has given to the last write of a blob's node; empty if there is no such blob. */
    OptionalLong modification(String key) {
        return modification(request(key, () -> zooKeeper.checkExists().forPath(path(key))));
    }

    /**
     * Writes the contents of a blob, and returns the id that ZooKeeper gives to this; empty if there is no such blob.
     *
     * @throws IllegalStateException if another Nimbus has written it since this one last read or wrote it, or if ZooKeeper does not respond
     */
    OptionalLong write(String key, SettableBlobMeta meta, byte[] contents) {
        byte[] data = BlobNode.bytes(meta, contents);
        Stat last = seen.get(key);
        Optional<Stat> written = request(key, () -> zooKeeper.setData().withVersion(last == null ? ANY_VERSION : last.getVersion())
            .forPath(path(key), data));
        note(key, written);
        return modification(written);
    }

    @Override
    public void close() {
        zooKeeper.close();
    }

    private void note(String key, Optional<Stat> stat) {
        stat.ifPresentOrElse(found -> seen.put(key, found), () -> seen.remove(key));
    }

    private static OptionalLong modification(Optional<Stat> stat) {
        return stat.map(found -> OptionalLong.of(found.getMzxid())).orElse(OptionalLong.empty());
    }

    private static String path(String key) {
        return BlobStoreUtils.getBlobStoreSubtree() + (key.isEmpty() ? "" : "/" + key);
    }

    /** The response to a request about a blob, or about all if the key is empty; empty if there is no such node. */
    private <T> Optional<T> request(String key, Callable<T> request) {
        try {
            // Else a server of ZooKeeper that lags behind could respond with what it had before this Nimbus became the leader.
            zooKeeper.sync().forPath(path(key));
            return Optional.ofNullable(request.call());
        } catch (KeeperException.NoNodeException e) {
            return Optional.empty();
        } catch (KeeperException.BadVersionException e) {
            throw new IllegalStateException("Another Nimbus has written blob " + key + " since this one read it", e);
        } catch (IllegalStateException e) {
            throw new IllegalStateException("Cannot read blob " + key + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while ZooKeeper was asked about blob " + key, e);
        } catch (Exception e) {
            throw new IllegalStateException("ZooKeeper does not respond about blob " + key + ": " + e, e);
        }
    }
}
