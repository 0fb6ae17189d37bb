package io.eyewall.scheduler.scaling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.elasticity.plan.ScalingGoal.Direction;
import io.eyewall.elasticity.plan.ScalingStrategy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.blobstore.BlobStore;
import org.apache.storm.blobstore.BlobStoreUtils;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.nimbus.NimbusInfo;
import org.apache.storm.testing.InProcessZookeeper;
import org.apache.storm.utils.ServerUtils;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The board in a real blob store of Storm's. */
class BlobScalingStoreTest {

    private static final ScalingRequest ORDER =
        new ScalingRequest("order-1", "linear", Direction.OUT, 2, ScalingStrategy.LEAST_LINK_LOAD, false);

    @TempDir
    private Path directory;
    private InProcessZookeeper zooKeeper;
    private BlobStore store;
    private BlobScalingStore board;

    @BeforeEach
    void open() throws Exception {
        zooKeeper = new InProcessZookeeper();
        Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
        conf.put("storm.zookeeper.servers", List.of("localhost"));
        conf.put("storm.zookeeper.port", zooKeeper.getPort());
        conf.put("storm.local.dir", directory.toString());
        store = ServerUtils.getNimbusBlobStore(conf, new NimbusInfo("localhost", 6627, true), null);
        board = new BlobScalingStore(() -> store);
    }

    @AfterEach
    void close() throws Exception {
        board.close();
        zooKeeper.close();
    }

    @Test
    void shouldGiveAnOrderItsAnswerAndTakeItAway() throws Exception {
        create(ScalingRecord.of(ORDER).key(), ScalingRecord.of(ORDER).toBytes());
        create("somebody-elses", new byte[] {1});
        assertEquals(List.of(ScalingRecord.of(ORDER)), board.posts());

        ScalingRecord answered = ScalingRecord.of(ORDER).answered(new ScalingResponse(null, "plan\n", Map.of("work", 3), 4, "undo"), 5);
        board.answer(answered);
        assertEquals(List.of(answered), board.posts());

        board.remove(answered);
        board.remove(answered);
        board.answer(answered);
        assertEquals(List.of(), board.posts());
    }

    @Test
    void shouldTakeAwayWhatIsNoOrder() throws Exception {
        create(ScalingRecord.KEY_PREFIX + "1", "Dear scheduler".getBytes(StandardCharsets.UTF_8));
        create(ScalingRecord.KEY_PREFIX + "2", "{\"order\":{\"id\":\"2\",\"direction\":\"UP\"}}".getBytes(StandardCharsets.UTF_8));

        assertEquals(List.of(), board.posts());

        List<String> left = new ArrayList<>();
        store.listKeys().forEachRemaining(left::add);
        assertEquals(List.of(), left);
    }

    @Test
    void shouldKeepTheNewestEventsOfTheLog() throws Exception {
        board.log(List.of());
        for (int first = 0; first < BlobScalingStore.LOG_EVENTS + 200; first += 200) {
            List<ScalingEvent> events = new ArrayList<>();
            for (int number = first; number < first + 200; number++) {
                events.add(new ScalingEvent(number, "order-1", "linear", "scale", ScalingEvent.Kind.COMMITTED, "number " + number));
            }
            board.log(events);
        }

        List<ScalingEvent> log = ScalingRecord.logEvents(store.readBlob(ScalingRecord.LOG_KEY, BlobStoreUtils.getNimbusSubject()));

        assertEquals(BlobScalingStore.LOG_EVENTS, log.size());
        assertEquals("number 200", log.get(0).text());
        assertTrue(store.getBlobMeta(ScalingRecord.LOG_KEY, null).get_settable().get_acl_size() > 0, "everybody may read it");
    }

    private void create(String key, byte[] contents) throws Exception {
        store.createBlob(key, contents, new SettableBlobMeta(new ArrayList<>()), BlobStoreUtils.getNimbusSubject());
    }
}
