package io.eyewall.scheduler.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.blobstore.BlobStore;
import org.apache.storm.blobstore.BlobStoreUtils;
import org.apache.storm.blobstore.LocalFsBlobStore;
import org.apache.storm.cluster.ClusterStateContext;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.cluster.DaemonType;
import org.apache.storm.cluster.IStormClusterState;
import org.apache.storm.nimbus.NimbusInfo;
import org.apache.storm.testing.InProcessZookeeper;
import org.apache.storm.utils.Utils;

/** The blobs of two Nimbuses with one ZooKeeper, in Storm's default blob store: each has files of its own. */
public final class TwoNimbuses implements AutoCloseable {

    private static final int PORT = 6627;

    private final InProcessZookeeper zooKeeper = new InProcessZookeeper();
    private final Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
    private final IStormClusterState cluster;
    private final List<BlobStore> stores = new ArrayList<>();
    private final List<StormBlobs> opened = new ArrayList<>();

    /** Makes their directories in this one. */
    public TwoNimbuses(Path directory) throws Exception {
        conf.put("storm.zookeeper.servers", List.of("localhost"));
        conf.put("storm.zookeeper.port", zooKeeper.getPort());
        conf.put("storm.zookeeper.retry.times", 1);
        conf.put("storm.zookeeper.retry.interval", 1);
        conf.put("storm.zookeeper.connection.timeout", 500);
        conf.put("storm.nimbus.retry.times", 0); // No Nimbus runs of which another could fetch a blob.
        cluster = ClusterUtils.mkStormClusterState(conf, new ClusterStateContext(DaemonType.NIMBUS, conf));
        for (int nimbus = 0; nimbus < 2; nimbus++) {
            stores.add(open(directory, nimbus));
            BlobStore store = stores.get(nimbus);
            opened.add(new StormBlobs(() -> store, conf));
        }
    }

    /** What a Nimbus's scheduler writes to, by the Nimbus's number. */
    public StormBlobs blobs(int nimbus) {
        return opened.get(nimbus);
    }

    /** What a Nimbus's clients read. */
    BlobStore store(int nimbus) {
        return stores.get(nimbus);
    }

    /** The contents that a Nimbus's clients read. */
    public byte[] seenByClients(int nimbus, String key) throws Exception {
        return stores.get(nimbus).readBlob(key, BlobStoreUtils.getNimbusSubject());
    }

    /** Lets the second Nimbus copy a blob of the first, as it does when the blob is new. */
    public void copy(String key) throws Exception {
        stores.get(1).createBlob(key, seenByClients(0, key),
            stores.get(0).getBlobMeta(key, BlobStoreUtils.getNimbusSubject()).get_settable(), BlobStoreUtils.getNimbusSubject());
        cluster.setupBlob(key, new NimbusInfo("nimbus-1", PORT, false), 1);
    }

    /** The configuration of both. */
    Map<String, Object> conf() {
        return conf;
    }

    @Override
    public void close() throws Exception {
        opened.forEach(StormBlobs::close);
        stores.forEach(BlobStore::shutdown);
        cluster.disconnect();
        zooKeeper.close();
    }

    private BlobStore open(Path directory, int nimbus) {
        LocalFsBlobStore store = new LocalFsBlobStore();
        store.prepare(conf, directory.resolve("nimbus-" + nimbus).toString(), new NimbusInfo("nimbus-" + nimbus, PORT, true), null);
        return store;
    }
}
