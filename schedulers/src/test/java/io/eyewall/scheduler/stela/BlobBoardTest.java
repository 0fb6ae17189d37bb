package io.eyewall.scheduler.stela;

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
class BlobBoardTest {

    private static final ScalingOrder ORDER =
        new ScalingOrder("order-1", "linear", Direction.OUT, 2, ScalingStrategy.LEAST_LINK_LOAD, false);

    @TempDir
    private Path directory;
    private InProcessZookeeper zooKeeper;
    private BlobStore store;
    private BlobBoard board;

    @BeforeEach
    void open() throws Exception {
        zooKeeper = new InProcessZookeeper();
        Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
        conf.put("storm.zookeeper.servers", List.of("localhost"));
        conf.put("storm.zookeeper.port", zooKeeper.getPort());
        conf.put("storm.local.dir", directory.toString());
        store = ServerUtils.getNimbusBlobStore(conf, new NimbusInfo("localhost", 6627, true), null);
        board = new BlobBoard(() -> store);
    }

    @AfterEach
    void close() throws Exception {
        board.close();
        zooKeeper.close();
    }

    @Test
    void shouldGiveAnOrderItsAnswerAndTakeItAway() throws Exception {
        create(ScalingPost.of(ORDER).key(), ScalingPost.of(ORDER).toBytes());
        create("somebody-elses", new byte[] {1});
        assertEquals(List.of(ScalingPost.of(ORDER)), board.posts());

        ScalingPost answered = ScalingPost.of(ORDER).answered(new ScalingAnswer(null, "plan\n", Map.of("work", 3), 4, "undo"), 5);
        board.answer(answered);
        assertEquals(List.of(answered), board.posts());

        board.remove(answered);
        board.remove(answered);
        board.answer(answered);
        assertEquals(List.of(), board.posts());
    }

    @Test
    void shouldTakeAwayWhatIsNoOrder() throws Exception {
        create(ScalingPost.KEY_PREFIX + "1", "Dear scheduler".getBytes(StandardCharsets.UTF_8));
        create(ScalingPost.KEY_PREFIX + "2", "{\"order\":{\"id\":\"2\",\"direction\":\"UP\"}}".getBytes(StandardCharsets.UTF_8));

        assertEquals(List.of(), board.posts());

        List<String> left = new ArrayList<>();
        store.listKeys().forEachRemaining(left::add);
        assertEquals(List.of(), left);
    }

    @Test
    void shouldKeepTheNewestEventsOfTheLog() throws Exception {
        board.log(List.of());
        for (int first = 0; first < BlobBoard.LOG_EVENTS + 200; first += 200) {
            List<ScalingEvent> events = new ArrayList<>();
            for (int number = first; number < first + 200; number++) {
                events.add(new ScalingEvent(number, "order-1", "linear", "scale", ScalingEvent.Kind.COMMITTED, "number " + number));
            }
            board.log(events);
        }

        List<ScalingEvent> log = ScalingPost.logEvents(store.readBlob(ScalingPost.LOG_KEY, BlobStoreUtils.getNimbusSubject()));

        assertEquals(BlobBoard.LOG_EVENTS, log.size());
        assertEquals("number 200", log.get(0).text());
        assertTrue(store.getBlobMeta(ScalingPost.LOG_KEY, null).get_settable().get_acl_size() > 0, "everybody may read it");
    }

    private void create(String key, byte[] contents) throws Exception {
        store.createBlob(key, contents, new SettableBlobMeta(new ArrayList<>()), BlobStoreUtils.getNimbusSubject());
    }
}
