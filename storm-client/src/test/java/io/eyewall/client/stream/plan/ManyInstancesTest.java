package io.eyewall.client.stream.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.stream.wire.InstanceStatus;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.shade.io.netty.buffer.ByteBuf;
import org.apache.storm.shade.io.netty.buffer.Unpooled;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

/** What 10,000 instances on 100 hosts take, as design/009 has it. */
class ManyInstancesTest {

    private static final int HOSTS = 100;
    private static final int INSTANCES = 10_000;
    private static final int PLANS = 20;
    private static final long KB = 1_000;
    private static final TestComponents COMPONENTS = new TestComponents(task -> task <= INSTANCES / 2 ? "spout" : "bolt", 1, "none",
        Map.of("bolt", Set.of("spout")));

    @Test
    void shouldPlanThemInLittleMemory() {
        Assignment assignment = assignment();
        List<InstancePlan> plans = new ArrayList<>(List.of(InstancePlan.of(assignment, COMPONENTS)));
        long before = usedBytes();
        for (int i = 0; i < PLANS; i++) {
            plans.add(InstancePlan.of(assignment, COMPONENTS));
        }
        long each = (usedBytes() - before) / PLANS;

        assertTrue(each < 5_000 * KB, () -> each + " bytes for a plan");
        InstancePlan plan = plans.get(PLANS);
        assertEquals(HOSTS, plan.containers().size());
        plan.containers().forEach(container -> assertEquals(INSTANCES / HOSTS, plan.instances(container).size()));
    }

    @Test
    void shouldReadAnAssignmentOfAModerateSize() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream compressed = new GZIPOutputStream(bytes)) {
            compressed.write(Utils.serialize(assignment()));
        }

        assertTrue(bytes.size() < 150 * KB, () -> bytes.size() + " bytes");
    }

    @Test
    void shouldReportTasksAndLoadsInAStatusOfAModerateSize() {
        Set<Integer> tasks = IntStream.rangeClosed(1, INSTANCES).boxed().collect(Collectors.toSet());

        assertTrue(length(new InstanceStatus(tasks, Set.of(), Map.of())) < 41 * KB);
        Map<Integer, Double> changed = new HashMap<>();
        tasks.stream().limit(INSTANCES / 5).forEach(task -> changed.put(task, 0.5));
        assertTrue(length(new InstanceStatus(tasks, Set.of(), changed)) < 66 * KB, "a fifth of the loads has changed");
        assertTrue(length(new InstanceStatus(tasks.stream().limit(INSTANCES / HOSTS).collect(Collectors.toSet()), Set.of(), Map.of()))
            < 3 * KB, "what a stream manager reports to others");
    }

    private static int length(InstanceStatus status) {
        ByteBuf bytes = Unpooled.buffer();
        status.write(bytes);
        return bytes.readableBytes();
    }

    /** Executors in an order that no compression finds. */
    private static Assignment assignment() {
        Random random = new Random(1);
        List<Integer> places = new ArrayList<>(IntStream.range(0, INSTANCES).map(i -> i % HOSTS).boxed().toList());
        Collections.shuffle(places, random);
        Map<List<Long>, NodeInfo> executors = new HashMap<>();
        Map<List<Long>, Long> starts = new HashMap<>();
        for (int task = 1; task <= INSTANCES; task++) {
            List<Long> executor = List.of((long) task, (long) task);
            executors.put(executor, new NodeInfo("host-" + places.get(task - 1), Set.of(6700L)));
            starts.put(executor, 1_700_000_000L);
        }
        Assignment assignment = new Assignment("/code");
        assignment.set_executor_node_port(executors);
        assignment.set_executor_start_time_secs(starts);
        return assignment;
    }

    private static long usedBytes() {
        for (int i = 0; i < 3; i++) {
            ManagementFactory.getMemoryMXBean().gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
