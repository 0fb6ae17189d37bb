package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.seam.NoTransport;
import io.eyewall.client.stream.plan.InstancePlan;
import io.eyewall.client.stream.plan.TestComponents;
import io.eyewall.client.stream.wire.InstanceStatus;
import io.eyewall.client.stream.wire.Moves;
import io.eyewall.client.stream.wire.StreamWire;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.buffer.UnpooledByteBufAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Instances that do not come, in virtual time. Instance 1 is here; instance 2 moves between this container and another one. */
class AbsentInstancesTest {

    private static final NodeInfo HERE = new NodeInfo("a", Set.of(6700L));
    private static final NodeInfo THERE = new NodeInfo("b", Set.of(6700L));
    private static final int MOVING = 2;
    private static final int UNKNOWN = 9;
    private static final int WAIT_SECS = 60;
    private static final TestComponents COMPONENTS = new TestComponents(task -> "bolt", 1, "none");

    private final Backlog backlog = new Backlog(1 << 20, 2 << 20);
    private final Other other = new Other();
    /** The other container's connection is not Netty's, and needs no loop. */
    private final Containers containers =
        new Containers(HERE, "here", "topology", other, UNKNOWN, new ContainerSenders(null, 0, null), backlog);
    private final AbsentInstances absent = new AbsentInstances(backlog, containers);
    private final Router router = new Router(HERE, plan(HERE), false, COMPONENTS, new Departures(1), new Silent());

    @AfterEach
    void close() {
        containers.close();
    }

    @Test
    void shouldDropWhatWaitsForAnInstanceThatDoesNotStart() {
        offer(MOVING, 1, 0);
        offer(MOVING, 2, 100);

        dropOverdueAt(119);
        assertEquals(0, containers.takeDropped());
        dropOverdueAt(121);

        assertEquals(2, containers.takeDropped());
        assertEquals(0, backlog.usedBytes());
        ByteBuf late = message(MOVING, 3);
        assertFalse(absent.offer(1, MOVING, late, false, router, seconds(122)));
        assertEquals(1, containers.takeDropped());
        late.release();
        assertEquals(List.of(), absent.connected(MOVING, router));
        offer(MOVING, 4, 123);
        absent.close();
        assertEquals(1, containers.takeDropped());
    }

    @Test
    void shouldSendWhatHasWaitedWhenItsInstanceIsInAnotherContainer() throws Exception {
        router.plan(plan(THERE));
        containers.follow(router);
        for (int i = 0; i < 5; i++) {
            offer(MOVING, i, 0);
        }
        dropOverdueAt(100);
        absent.follow(router);
        assertEquals(0, other.sent.size(), "it has not started there");

        router.reported(THERE, new InstanceStatus(Set.of(MOVING), Set.of(), Map.of()));
        absent.follow(router);

        awaitSent(5);
        assertEquals(0, containers.takeDropped());
        assertEquals(0, waiting());
    }

    @Test
    void shouldPassOnWhatComesWhenItsInstanceHasLeftOnlyToWhereItIs() throws Exception {
        router.plan(plan(THERE));
        containers.follow(router);

        arrive(0, 2);
        containers.flush();
        assertEquals(0, other.sent.size(), "it has not started there, which would drop them or send them back");
        router.reported(THERE, new InstanceStatus(Set.of(MOVING), Set.of(), Map.of()));
        absent.follow(router);
        arrive(2, 5);
        containers.flush();

        awaitSent(5);
        assertEquals(0, containers.takeDropped());
        assertEquals(0, waiting());
    }

    private void arrive(int first, int end) {
        for (int i = first; i < end; i++) {
            absent.arrived(new TaskMessage(MOVING, new byte[] {0, 5, (byte) i}), router, 0);
        }
    }

    @Test
    void shouldDropWhatWaitsForAnInstanceThatIsNoLongerInThePlan() {
        offer(MOVING, 1, 0);
        offer(MOVING, 2, 0);
        offer(1, 3, 0);

        router.plan(plan(Map.of(List.of(1L, 1L), HERE, List.of(3L, 3L), THERE)));
        dropOverdueAt(1);

        assertEquals(2, containers.takeDropped());
        assertEquals(0, waiting());
        assertEquals(1, absent.connected(1, router).size());
    }

    @Test
    void shouldWaitLongerWhileTheInstanceIsLeaving() {
        router.connected(MOVING, Set.of(MOVING));
        router.leaves(MOVING);
        offer(MOVING, 1, 0);
        dropOverdueAt(100);
        Moves leaving = new Moves(Set.of(MOVING), Set.of(), Set.of(), 1, Set.of());
        router.reported(THERE, new InstanceStatus(Set.of(), leaving, Set.of(), Set.of(), Map.of()));
        router.left(MOVING, Set.of(MOVING));
        dropOverdueAt(200);
        router.reported(THERE, new InstanceStatus(Set.of(), Set.of(), Map.of()));

        dropOverdueAt(319);
        assertEquals(0, containers.takeDropped());
        dropOverdueAt(321);
        assertEquals(1, containers.takeDropped());
    }

    private void awaitSent(int many) throws InterruptedException {
        for (int i = 0; i < many; i++) {
            TaskMessage sent = other.sent.poll(WAIT_SECS, TimeUnit.SECONDS);
            assertEquals(MOVING, sent.task());
            assertEquals(i, sent.message()[Short.BYTES]);
        }
    }

    @Test
    void shouldHoldSendersOfAnInstanceThatIsNotThereUntilNothingWaits() {
        for (int i = 0; i < 10; i++) {
            ByteBuf large = StreamWire.message(UnpooledByteBufAllocator.DEFAULT, MOVING, new TaskMessage(MOVING, new byte[100_000]));
            assertTrue(absent.offer(1, MOVING, large, false, router, 0));
        }
        absent.measure();
        backlog.decide();
        assertEquals(Set.of(MOVING), router.report().full());
        assertEquals(Set.of(MOVING), router.held());

        dropOverdueAt(121);

        assertEquals(Set.of(), router.report().full());
        assertEquals(Set.of(), router.held());
    }

    @Test
    void shouldRefuseWhatHasNoRoomOrNoInstance() {
        ByteBuf large = StreamWire.message(UnpooledByteBufAllocator.DEFAULT, MOVING, new TaskMessage(MOVING, new byte[3 << 20]));
        assertTrue(absent.offer(1, MOVING, large.copy(), false, router, 0), "nothing waits for it");
        assertFalse(absent.offer(1, MOVING, large, false, router, 0));
        assertEquals(1, containers.takeRefused());
        assertFalse(absent.offer(1, UNKNOWN, large, false, router, 0));
        assertEquals(1, containers.takeDropped());
        large.release();
        assertEquals(1, waiting());
    }

    private void offer(int instance, int content, long atSecs) {
        assertTrue(absent.offer(1, instance, message(instance, content), false, router, seconds(atSecs)));
    }

    private int waiting() {
        return absent.connected(MOVING, router).size();
    }

    private void dropOverdueAt(long secs) {
        absent.dropOverdue(router, seconds(secs));
    }

    private static long seconds(long secs) {
        return TimeUnit.SECONDS.toNanos(secs);
    }

    private static ByteBuf message(int instance, int content) {
        return StreamWire.message(UnpooledByteBufAllocator.DEFAULT, instance, new TaskMessage(instance, new byte[] {(byte) content}));
    }

    private static InstancePlan plan(NodeInfo home) {
        return plan(Map.of(List.of(1L, 1L), HERE, List.of(2L, 2L), home, List.of(3L, 3L), THERE));
    }

    private static InstancePlan plan(Map<List<Long>, NodeInfo> executors) {
        Assignment assignment = new Assignment("");
        assignment.set_executor_node_port(executors);
        assignment.set_node_host(Map.of("a", "localhost", "b", "localhost"));
        return InstancePlan.of(assignment, COMPONENTS);
    }

    /** Nobody takes statuses. */
    private static final class Silent implements RouterOutput {
        @Override
        public void toInstance(int instance, InstanceStatus status) {
            // There is none.
        }

        @Override
        public void toOthers(InstanceStatus status) {
            // They do not matter here.
        }

        @Override
        public void toOther(NodeInfo container, InstanceStatus status) {
            // They do not matter here.
        }

        @Override
        public void end(int instance) {
            // There is none.
        }

        @Override
        public void culprits(Set<Integer> tasks) {
            // They do not matter here.
        }

        @Override
        public WaitingTuples waiting() {
            return StayingInstances.NOTHING;
        }

        @Override
        public void read(int instance, boolean isRead) {
            // There is none.
        }
    }

    /** The other container takes everything at once. */
    private static final class Other extends NoTransport {
        private final CollectingConnection connection = new CollectingConnection();
        private final BlockingQueue<TaskMessage> sent = connection.sent;

        @Override
        public IConnection connect(String topologyId, String host, int port, AtomicBoolean[] remoteBackPressure) {
            return connection;
        }
    }
}
