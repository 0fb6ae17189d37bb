package io.eyewall.client.hot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.storm.callback.ZKStateChangedCallback;
import org.apache.storm.cluster.IStateStorage;
import org.apache.storm.shade.org.apache.zookeeper.Watcher;
import org.apache.storm.shade.org.apache.zookeeper.ZooDefs;
import org.apache.storm.shade.org.apache.zookeeper.data.ACL;
import org.apache.storm.shade.org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.Test;

/** The board of a topology with three workers, of which this is the first, on a ZooKeeper that is a map. */
class AnnouncementBoardTest {

    private static final WorkerPlace HERE = new WorkerPlace("a-b", 1);
    private static final WorkerPlace SECOND = new WorkerPlace("a-b", 2);
    private static final WorkerPlace THIRD = new WorkerPlace("c", 1);
    private static final Announcement SERVES = new Announcement(Set.of(1), Set.of(), Set.of(), false, false, 0);
    private static final Announcement AWAITS = new Announcement(Set.of(), Set.of(), Set.of(1), false, false, 0);

    private final Map<String, byte[]> nodes = new TreeMap<>();
    private final List<String> reads = new ArrayList<>();
    private ZKStateChangedCallback callback;
    private List<?> permissions = List.of();
    private int changes;
    private boolean unreadable;
    private Runnable written = () -> { };
    private final AnnouncementBoard board = open(true);

    @Test
    void shouldReportWhatTheOthersHavePutUp() {
        board.announce(SERVES);
        put(SECOND, AWAITS);
        put(THIRD, SERVES);

        assertEquals(Map.of(SECOND, AWAITS, THIRD, SERVES), board.others());
    }

    @Test
    void shouldReadAgainOnlyWhatHasChangedSince() {
        board.announce(SERVES);
        put(SECOND, SERVES);
        put(THIRD, SERVES);
        board.others();
        reads.clear();

        put(SECOND, AWAITS);
        assertEquals(Map.of(SECOND, AWAITS, THIRD, SERVES), board.others());
        assertEquals(List.of(path(SECOND)), reads);
        assertEquals(3, changes);
    }

    @Test
    void shouldReadAgainWhatCouldNotBeRead() {
        board.announce(SERVES);
        put(SECOND, SERVES);
        board.others();
        put(SECOND, AWAITS);
        unreadable = true;
        assertThrows(IllegalStateException.class, board::others);
        unreadable = false;

        assertEquals(Map.of(SECOND, AWAITS), board.others());
    }

    @Test
    void shouldReadEverythingAgainWhenItMayNotRemember() {
        AnnouncementBoard forgetful = open(false);
        forgetful.announce(SERVES);
        put(SECOND, SERVES);
        forgetful.others();
        reads.clear();

        assertEquals(Map.of(SECOND, SERVES), forgetful.others());
        assertEquals(List.of(path(SECOND)), reads);
    }

    @Test
    void shouldReadEverythingAgainWhenItsOwnNodeIsGoneWithItsSession() {
        board.announce(SERVES);
        put(SECOND, SERVES);
        board.others();
        nodes.remove(path(HERE));
        nodes.put(path(SECOND), AWAITS.encode());

        assertEquals(Map.of(SECOND, AWAITS), board.others());
        board.announce(SERVES);
        assertEquals(SERVES, Announcement.decode(nodes.get(path(HERE))));
    }

    @Test
    void shouldForgetAWorkerThatIsGone() {
        board.announce(SERVES);
        put(SECOND, SERVES);
        board.others();
        nodes.remove(path(SECOND));

        assertEquals(Map.of(), board.others());
    }

    @Test
    void shouldClaimForAStartWhatNobodyRunsOrAwaits() {
        put(SECOND, SERVES);
        put(THIRD, new Announcement(Set.of(), Set.of(), Set.of(2), false, false, 0));

        assertEquals(Set.of(executor(3), executor(4)), board.claim(Set.of(executor(1), executor(2), executor(3), executor(4))));
        assertEquals(Set.of(3, 4), Announcement.decode(nodes.get(path(HERE))).serves());
    }

    @Test
    void shouldNotClaimWhatAnotherAwaitsByTheTimeThatTheClaimIsUp() {
        put(SECOND, new Announcement(Set.of(), Set.of(), Set.of(), false, false, 0));
        written = () -> nodes.put(path(SECOND), AWAITS.encode()); // Nobody has been notified of this yet.

        assertEquals(Set.of(executor(3)), board.claim(Set.of(executor(1), executor(3))));
        assertEquals(Set.of(3), Announcement.decode(nodes.get(path(HERE))).serves());
    }

    @Test
    void shouldLookAgainWhenAClaimWasGoneWithItsSession() {
        written = () -> {
            nodes.remove(path(HERE));
            written = () -> nodes.put(path(SECOND), AWAITS.encode());
        };

        assertEquals(Set.of(executor(3)), board.claim(Set.of(executor(1), executor(3))));
        assertEquals(Set.of(3), Announcement.decode(nodes.get(path(HERE))).serves());
    }

    @Test
    void shouldLetNimbusReadAnnouncementsWhereZooKeeperChecksPermissions() {
        Map<String, Object> conf = Map.of("storm.zookeeper.topology.auth.scheme", "digest",
            "storm.zookeeper.topology.auth.payload", "name:secret", "storm.zookeeper.superACL", "sasl:nimbus");
        new AnnouncementBoard(storage(), "topology", conf, HERE, true, () -> changes++)
            .announce(new Announcement(Set.of(1), Set.of(), Set.of(), false, false, 0));

        assertTrue(permissions.contains(new ACL(ZooDefs.Perms.ALL, new Id("sasl", "nimbus"))), permissions::toString);
        assertTrue(permissions.containsAll(ZooDefs.Ids.CREATOR_ALL_ACL), permissions::toString);
    }

    private static List<Long> executor(long task) {
        return List.of(task, task);
    }

    private void put(WorkerPlace place, Announcement announcement) {
        nodes.put(path(place), announcement.encode());
        callback.changed(Watcher.Event.EventType.NodeDataChanged, path(place));
    }

    private static String path(WorkerPlace place) {
        return "/backpressure/topology/" + place.name();
    }

    private AnnouncementBoard open(boolean remembers) {
        return new AnnouncementBoard(storage(), "topology", Map.of(), HERE, remembers, () -> changes++);
    }

    private IStateStorage storage() {
        return (IStateStorage) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {IStateStorage.class},
            (proxy, method, arguments) -> switch (method.getName()) {
                case "register" -> {
                    callback = (ZKStateChangedCallback) arguments[0];
                    yield "registration";
                }
                case "get_children" -> nodes.keySet().stream().map(path -> path.substring(path.lastIndexOf('/') + 1)).toList();
                case "get_data" -> {
                    if (unreadable) {
                        throw new IllegalStateException("connection lost");
                    }
                    reads.add((String) arguments[0]);
                    yield nodes.get((String) arguments[0]);
                }
                case "set_ephemeral_node" -> {
                    permissions = (List<?>) arguments[2];
                    nodes.put((String) arguments[0], (byte[]) arguments[1]);
                    written.run();
                    yield null;
                }
                case "delete_node" -> {
                    nodes.remove((String) arguments[0]);
                    yield null;
                }
                case "mkdirs", "unregister" -> null;
                default -> throw new UnsupportedOperationException(method.toString());
            });
    }
}
