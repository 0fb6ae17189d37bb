package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.engine.EngineConfiguration;
import io.eyewall.integration.bench.elastic.DepartureLogs;
import io.eyewall.integration.cluster.ClusterExtension;
import io.eyewall.integration.cluster.ClusterSpecification;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Executors and workers come and go while the queues in front of them are full: no tuple is lost and none comes twice, without acks as with
 * them. {@value #SOAK_SECS} lets each test with small queues go on with changes at random for so long. The seed of what is at random is
 * printed, and {@value #SEED} sets it.
 */
@Tag("system")
class FullQueuesSystemTest {

    private static final Path DIRECTORY = Installations.workDirectory("full-queues");
    private static final String SOAK_SECS = "eyewall.soak.secs";
    private static final int SOAK_TIME_SECS = Integer.getInteger(SOAK_SECS, 0);
    private static final String SEED = "eyewall.seed";

    private static final String QUEUE_SIZE = "topology.executor.receive.buffer.size";
    private static final String ACKERS = "topology.acker.executors";
    private static final String FRAMES = EngineConfiguration.FRAMES;
    private static final String SHARED_MEMORY = EngineConfiguration.SHARED_MEMORY;
    private static final String OFF = "off";
    private static final int SMALL_QUEUE = 512;
    /** More than the queues on a tuple's way hold. */
    private static final String PENDING = "10000";
    /** Of a topology that does not say. */
    private static final int DEFAULT_QUEUE = 8_192;

    /** What comes to the bolts in half a second or less, and in two or three. */
    private static final int SOME = 1_000;
    private static final int MANY = 8_000;
    private static final Map<String, Integer> FEWER = Map.of("slow", 1, "pooled", 1, "relay", 1, "keyed", 2);
    private static final Map<String, Integer> UNEVEN = Map.of("slow", 3, "pooled", 5, "relay", 3, "keyed", 5);

    @RegisterExtension
    static final ClusterExtension CLUSTER = new ClusterExtension(() -> ClusterSpecification.of(Installations.eyewall(), DIRECTORY)
        .withSupervisors(2, 2).withSettings(QuickSettings.all()));

    private final long seed = Long.getLong(SEED, System.currentTimeMillis());
    private final Random random = new Random(seed);
    private Flood flood;

    @BeforeEach
    void printSeed() {
        System.out.println("At random from -D" + SEED + "=" + seed);
    }

    @AfterEach
    void end() {
        if (flood != null) {
            System.out.println(flood);
            flood.end();
        }
    }

    @Test
    void shouldBringEachTupleOnceWhenExecutorsAndWorkersComeAndGo() throws IOException {
        changeWithoutAcks(true, OFF);
    }

    /** As messages of their own, and in frames through shared memory. */
    @ParameterizedTest
    @CsvSource({"false, off", "true, auto"})
    @Tag("long")
    void shouldBringEachTupleOnceInOtherWaysToo(boolean frames, String sharedMemory) throws IOException {
        changeWithoutAcks(frames, sharedMemory);
    }

    @Test
    @Tag("long")
    void shouldBringEachTupleOnceWhenAWorkerGoesAndComesAndQueuesAreAsLongAsTheyAreByDefault() throws IOException {
        flood = Flood.submit(CLUSTER.cluster(), DIRECTORY.resolve("default"), DEFAULT_QUEUE, Map.of(ACKERS, "0"));
        changeWithFullQueues(1, Flood.EXECUTORS);
        assertTrue(DepartureLogs.mostHeldTuples(CLUSTER.cluster().logs(), Flood.TOPOLOGY).getAsLong() > 0);
        changeWithFullQueues(2, Flood.EXECUTORS);
        assertEquals(List.of(), flood.drain().defects());
    }

    @Test
    @Tag("long")
    void shouldAckOnlyWhatHasComeWhenWorkersAreKilledWhileExecutorsMove() throws IOException {
        killWithAcks(EngineConfiguration.AUTO);
    }

    @Test
    @Tag("long")
    void shouldAckOnlyWhatHasComeOverTheNetworkWhenWorkersAreKilledWhileExecutorsMove() throws IOException {
        killWithAcks(OFF);
    }

    private void changeWithoutAcks(boolean frames, String sharedMemory) throws IOException {
        flood = Flood.submit(CLUSTER.cluster(), DIRECTORY.resolve("moves-" + frames + "-" + sharedMemory), SMALL_QUEUE,
            Map.of(ACKERS, "0", QUEUE_SIZE, String.valueOf(SMALL_QUEUE), FRAMES, String.valueOf(frames), SHARED_MEMORY, sharedMemory));
        changeWithFullQueues(1, Flood.EXECUTORS);
        changeWithFullQueues(2, Flood.EXECUTORS);
        changeWithFullQueues(2, Flood.MAX_EXECUTORS);
        changeWithFullQueues(2, FEWER);
        changeThereAndBackWithFullQueues(2, Flood.EXECUTORS);
        changeThereAndBackWithFullQueues(1, FEWER);
        changeOnTopOfOneAnotherWithFullQueues();
        soak(() -> { });

        flood.awaitOrder(SOME);
        assertEquals(List.of(), flood.drain().defects());
        assertRingsUsedAndLeft(sharedMemory);
    }

    private void killWithAcks(String sharedMemory) throws IOException {
        flood = Flood.submit(CLUSTER.cluster(), DIRECTORY.resolve("kills-" + sharedMemory), SMALL_QUEUE,
            Map.of(SHARED_MEMORY, sharedMemory, QUEUE_SIZE, String.valueOf(SMALL_QUEUE), "topology.message.timeout.secs", "20",
                "topology.max.spout.pending", PENDING)); // Upstream drops what is sent to a dead worker: nothing else holds a spout back.
        killWhileExecutorsMove(2, Flood.MAX_EXECUTORS);
        killWhileExecutorsMove(1, Flood.EXECUTORS);
        killWhileExecutorsMove(2, Flood.EXECUTORS);
        soak(() -> flood.killAWorker(random));

        assertEquals(List.of(), flood.settle().defectsWithAcks());
        assertRingsUsedAndLeft(sharedMemory);
    }

    private static void assertRingsUsedAndLeft(String sharedMemory) throws IOException {
        if (sharedMemory.equals(EngineConfiguration.AUTO)) {
            SharedMemory.assertUsedAndLeft(CLUSTER.cluster(), Flood.TOPOLOGY);
        }
    }

    private void changeWithFullQueues(int workers, Map<String, Integer> executors) {
        flood.awaitFull();
        flood.change(workers, executors);
        awaitChanged();
    }

    /** Back to two workers with few executors, before the first change is over. */
    private void changeThereAndBackWithFullQueues(int workers, Map<String, Integer> executors) {
        flood.awaitFull();
        flood.change(workers, executors);
        flood.change(2, FEWER);
        awaitChanged();
    }

    private void changeOnTopOfOneAnotherWithFullQueues() {
        flood.awaitFull();
        flood.change(2, Flood.MAX_EXECUTORS);
        flood.change(1, UNEVEN);
        flood.awaitMore(random.nextInt(MANY));
        flood.change(2, FEWER);
        flood.change(2, Flood.EXECUTORS);
        awaitChanged();
    }

    private void killWhileExecutorsMove(int workers, Map<String, Integer> executors) {
        flood.awaitFull();
        flood.change(workers, executors);
        flood.awaitMore(random.nextInt(MANY / 2));
        flood.killAWorker(random);
        flood.awaitChanged();
    }

    private void awaitChanged() {
        flood.awaitChanged();
        flood.assertWorkersStayed();
    }

    /** Changes at random for the time of {@link #SOAK_SECS}, with {@code behind} after each change; then restores the topology. */
    private void soak(Runnable behind) {
        long endMs = System.currentTimeMillis() + TimeUnit.SECONDS.toMillis(SOAK_TIME_SECS);
        while (System.currentTimeMillis() < endMs) {
            flood.changeAtRandom(random);
            flood.awaitMore(random.nextInt(MANY));
            behind.run();
        }
        flood.change(Flood.WORKERS, Flood.EXECUTORS);
        flood.awaitChanged();
    }
}
