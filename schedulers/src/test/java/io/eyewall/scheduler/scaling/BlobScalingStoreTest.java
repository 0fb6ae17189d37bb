package io.eyewall.scheduler.scaling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.plan.ScalingGoal.Direction;
import io.eyewall.elasticity.plan.ScalingStrategy;
import io.eyewall.scheduler.cluster.StormBlobs;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.security.auth.Subject;
import org.apache.storm.blobstore.BlobStore;
import org.apache.storm.blobstore.BlobStoreAclHandler;
import org.apache.storm.blobstore.BlobStoreUtils;
import org.apache.storm.generated.AccessControl;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.nimbus.NimbusInfo;
import org.apache.storm.security.auth.SingleUserPrincipal;
import org.apache.storm.security.auth.authorizer.SimpleACLAuthorizer;
import org.apache.storm.testing.InProcessZookeeper;
import org.apache.storm.utils.ServerUtils;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uses a real blob store of Storm's. */
class BlobScalingStoreTest {

    private static final ScalingRequest REQUEST =
        new ScalingRequest("request-1", "linear", Direction.OUT, 2, ScalingStrategy.LEAST_LINK_LOAD, false);

    @TempDir
    private Path directory;
    private InProcessZookeeper zooKeeper;
    private BlobStore blobs;
    private StormBlobs opened;
    private BlobScalingStore store;

    @BeforeEach
    void open() throws Exception {
        zooKeeper = new InProcessZookeeper();
        Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
        conf.put("storm.zookeeper.servers", List.of("localhost"));
        conf.put("storm.zookeeper.port", zooKeeper.getPort());
        conf.put("storm.local.dir", directory.toString());
        conf.put("storm.blobstore.acl.validation.enabled", true);
        conf.put("nimbus.authorizer", SimpleACLAuthorizer.class.getName());
        conf.put("nimbus.admins", List.of("root"));
        blobs = ServerUtils.getNimbusBlobStore(conf, new NimbusInfo("localhost", 6627, true), null);
        opened = new StormBlobs(() -> blobs, conf);
        store = new BlobScalingStore(opened);
    }

    @AfterEach
    void close() throws Exception {
        opened.close();
        zooKeeper.close();
    }

    @Test
    void shouldAddTheResponseToARequestAndRemoveIt() throws Exception {
        create(ScalingRecord.of(REQUEST).key(), ScalingRecord.of(REQUEST).toBytes());
        create("unrelated", new byte[] {1});
        assertEquals(List.of(ScalingRecord.of(REQUEST)), store.records());

        ScalingResponse plan = new ScalingResponse(null, "plan\n", Map.of("work", 3), 4, "undo");
        ScalingRecord answered = ScalingRecord.of(REQUEST).withResponse(plan, 5);
        store.respond(answered);
        assertEquals(List.of(answered), store.records());

        store.remove(answered);
        store.remove(answered);
        store.respond(answered);
        assertEquals(List.of(), store.records());
    }

    @Test
    void shouldDeleteBlobsThatAreNoRequests() throws Exception {
        create(ScalingRecord.KEY_PREFIX + "1", "Dear scheduler".getBytes(StandardCharsets.UTF_8));
        create(ScalingRecord.KEY_PREFIX + "2", "{\"order\":{\"id\":\"2\",\"direction\":\"UP\"}}".getBytes(StandardCharsets.UTF_8));

        assertEquals(List.of(), store.records());

        List<String> left = new ArrayList<>();
        blobs.listKeys().forEachRemaining(left::add);
        assertEquals(List.of(), left);
    }

    @Test
    void shouldKeepTheNewestEventsOfTheLog() throws Exception {
        store.log(List.of());
        for (int first = 0; first < BlobScalingStore.LOG_EVENTS + 200; first += 200) {
            List<ScalingEvent> events = new ArrayList<>();
            for (int number = first; number < first + 200; number++) {
                events.add(new ScalingEvent(number, "request-1", "linear", "scale", ScalingEvent.Kind.COMMITTED, "number " + number));
            }
            store.log(events);
        }

        List<ScalingEvent> log = ScalingRecord.logEvents(blobs.readBlob(ScalingRecord.LOG_KEY, BlobStoreUtils.getNimbusSubject()));

        assertEquals(BlobScalingStore.LOG_EVENTS, log.size());
        assertEquals("number 200", log.get(0).text());
        assertTrue(blobs.getBlobMeta(ScalingRecord.LOG_KEY, null).get_settable().get_acl_size() > 0, "every user can read the log");
    }

    @Test
    void shouldTellTheRequestsOfThoseWhoMayRebalanceFromOthers() throws Exception {
        ScalingRecord record = ScalingRecord.of(REQUEST);
        Map<String, Object> topology = Map.of("topology.users", List.of("alice"));

        create(record.key(), record.toBytes(), "alice");
        assertTrue(store.isByOwner(record, topology));
        assertFalse(opened.isByAdmin(record.key()));
        assertFalse(store.isByOwner(record, Map.of("topology.users", List.of("bob"), "topology.readonly.users", List.of("alice"))));

        blobs.deleteBlob(record.key(), BlobStoreUtils.getNimbusSubject());
        create(record.key(), record.toBytes(), "root");
        assertTrue(store.isByOwner(record, topology), "an administrator may rebalance any topology");
        assertTrue(opened.isByAdmin(record.key()));

        blobs.deleteBlob(record.key(), BlobStoreUtils.getNimbusSubject());
        create(record.key(), record.toBytes(), "bob", BlobStoreAclHandler.parseAccessControl("u:alice:rwa"));
        assertFalse(store.isByOwner(record, topology), "bob names alice, and can still write");

        blobs.deleteBlob(record.key(), BlobStoreUtils.getNimbusSubject());
        create(record.key(), record.toBytes(), "alice", BlobStoreAclHandler.parseAccessControl("o::rw"));
        assertFalse(store.isByOwner(record, topology), "anybody can write");
    }

    @Test
    void shouldKnowNoAdministratorWhereItIsNotCheckedWhoWrites() throws Exception {
        create(ScalingRecord.of(REQUEST).key(), ScalingRecord.of(REQUEST).toBytes(), "root");
        Map<String, Object> unchecked = Map.of("nimbus.authorizer", SimpleACLAuthorizer.class.getName());

        assertFalse(new StormBlobs(() -> blobs, unchecked).isByAdmin(ScalingRecord.of(REQUEST).key()));
        assertTrue(new StormBlobs(() -> blobs, Map.of()).isByAdmin(ScalingRecord.of(REQUEST).key()), "without an authorizer");
    }

    @Test
    void shouldDeleteARequestThatBearsTheIdOfAnother() throws Exception {
        create(ScalingRecord.KEY_PREFIX + "other", ScalingRecord.of(REQUEST).toBytes(), "bob");

        assertEquals(List.of(), store.records());
        assertFalse(blobs.listKeys().hasNext());
    }

    @Test
    void shouldNotBelieveALogOfAnotherUser() throws Exception {
        ScalingEvent forged = new ScalingEvent(1, "request-1", "linear", "scale", ScalingEvent.Kind.COMMITTED, "forged");
        create(ScalingRecord.LOG_KEY, ScalingRecord.logBytes(List.of(forged)), "bob");
        assertEquals(List.of(), store.events());

        ScalingEvent real = new ScalingEvent(2, "request-2", "linear", "scale", ScalingEvent.Kind.COMMITTED, "real");
        store.log(List.of(real));

        assertEquals(List.of(real), store.events());
        assertThrows(AuthorizationException.class, () -> blobs.updateBlob(ScalingRecord.LOG_KEY, new byte[0], user("bob")));
    }

    private void create(String key, byte[] contents) throws Exception {
        blobs.createBlob(key, contents, new SettableBlobMeta(new ArrayList<>()), BlobStoreUtils.getNimbusSubject());
    }

    private void create(String key, byte[] contents, String user, AccessControl... permissions) throws Exception {
        blobs.createBlob(key, contents, new SettableBlobMeta(new ArrayList<>(List.of(permissions))), user(user));
    }

    private static Subject user(String name) {
        return new Subject(true, Set.of(new SingleUserPrincipal(name)), Set.of(), Set.of());
    }
}
