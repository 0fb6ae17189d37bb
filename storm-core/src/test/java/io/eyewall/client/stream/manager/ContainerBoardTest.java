package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.cluster.ClusterStateContext;
import org.apache.storm.cluster.ClusterUtils;
import org.apache.storm.cluster.DaemonType;
import org.apache.storm.cluster.IStateStorage;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.testing.InProcessZookeeper;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Containers of a topology in a real ZooKeeper, each with a session of its own. */
class ContainerBoardTest {

    private static final NodeInfo FIRST = new NodeInfo("a-b", Set.of(6700L));
    private static final NodeInfo SECOND = new NodeInfo("a-b", Set.of(6701L));
    private static final NodeInfo THIRD = new NodeInfo("c", Set.of(6700L));

    private final Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
    private final List<IStateStorage> sessions = new ArrayList<>();
    private InProcessZookeeper zooKeeper;

    @BeforeEach
    void start() throws Exception {
        zooKeeper = new InProcessZookeeper();
        conf.put("storm.zookeeper.servers", List.of("localhost"));
        conf.put("storm.zookeeper.port", zooKeeper.getPort());
    }

    @AfterEach
    void stop() throws Exception {
        sessions.forEach(IStateStorage::close);
        zooKeeper.close();
    }

    @Test
    void shouldFollowContainersThatComeAndGo() throws Exception {
        ContainerBoard first = board(session(), "topology", FIRST, "host-a");
        assertEquals(Map.of(), first.others());

        IStateStorage leaving = session();
        ContainerBoard second = board(leaving, "topology", SECOND, "host-a");
        assertEquals(Map.of(FIRST, "host-a"), second.others());
        ContainerBoard third = board(session(), "topology", THIRD, "host-c");
        assertEquals(Map.of(FIRST, "host-a", SECOND, "host-a"), third.others());
        assertEquals(Map.of(SECOND, "host-a", THIRD, "host-c"), first.others());

        leaving.close();
        sessions.remove(leaving);
        assertEquals(Map.of(THIRD, "host-c"), first.others());
    }

    @Test
    void shouldNotKnowContainersOfOtherTopologies() throws Exception {
        assertEquals(Map.of(), board(session(), "topology", FIRST, "host-a").others());
        assertEquals(Map.of(), board(session(), "another", SECOND, "host-a").others());
    }

    @Test
    void shouldStayWhenTheSessionOfItsPredecessorEnds() throws Exception {
        IStateStorage before = session();
        assertEquals(Map.of(), board(before, "topology", FIRST, "host-a").others());
        assertEquals(Map.of(), board(session(), "topology", FIRST, "host-b").others());

        before.close();
        sessions.remove(before);

        assertEquals(Map.of(FIRST, "host-b"), board(session(), "topology", SECOND, "host-a").others());
    }

    @Test
    void shouldComeBackAtOnceWhenItsNodeIsGone() throws Exception {
        IStateStorage session = session();
        ContainerBoard board = board(session, "topology", FIRST, "host-a");
        assertEquals(Map.of(), board.others());
        String root = ClusterUtils.backpressureStormRoot("topology");
        String node = session.get_children(root, false).get(0);
        session.delete_node(root + "/" + node);

        assertEquals(Map.of(), board.others());

        assertEquals(List.of(node), session.get_children(root, false));
    }

    @Test
    void shouldKeepTheContainersThatThereWereWhenTheTopologyHasBeenKilled() throws Exception {
        IStateStorage session = session();
        ContainerBoard board = board(session, "topology", FIRST, "host-a");
        assertEquals(Map.of(), board.others());
        assertEquals(Map.of(FIRST, "host-a"), board(session(), "topology", SECOND, "host-b").others());
        Map<NodeInfo, String> before = board.others();
        assertEquals(Map.of(SECOND, "host-b"), before);

        session.delete_node(ClusterUtils.backpressureStormRoot("topology"));

        assertEquals(before, board.others());
        assertFalse(session.node_exists(ClusterUtils.backpressureStormRoot("topology"), false));
    }

    @Test
    void shouldLeaveOutWhatIsNoContainer() throws Exception {
        IStateStorage session = session();
        ContainerBoard board = board(session, "topology", FIRST, "host-a");
        for (String name : List.of("x", "a-b-6700", "c--12", "-6700-12")) {
            session.set_ephemeral_node(ClusterUtils.backpressureStormRoot("topology") + "/" + name, new byte[1],
                Utils.getWorkerACL(conf));
        }

        assertEquals(Map.of(), board.others());
    }

    private ContainerBoard board(IStateStorage session, String topology, NodeInfo container, String host) {
        return new ContainerBoard(session, topology, conf, container, host);
    }

    private IStateStorage session() throws Exception {
        IStateStorage session = ClusterUtils.mkStateStorage(conf, conf, new ClusterStateContext(DaemonType.WORKER, conf));
        sessions.add(session);
        return session;
    }
}
