package io.eyewall.client.hot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.apache.storm.executor.IRunningExecutor;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.utils.RotatingMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** A worker is asked to end while executors of it, which have threads of their own, wait to be prepared. */
class DrainedExecutorsTest {

    private static final int WAIT_SECS = 120;
    /** More than a queue takes. */
    private static final int TUPLES = 5 * ThreadedExecutor.QUEUE_TUPLES;
    private static final List<Long> ALL = LongStream.range(0, TUPLES).boxed().toList();

    private final DrainedExecutors drained = new DrainedExecutors(Map.of(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 30));
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger activations = new AtomicInteger();
    private final ThreadedExecutor first = new ThreadedExecutor(1, false);
    private final ThreadedExecutor second = new ThreadedExecutor(2, false);

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    @Test
    void shouldExecuteWhatHasComeBeforeBoltsArePrepared() throws Exception {
        start(first, second);
        first.receive(TUPLES);
        second.receive(1);

        Future<Integer> lost = threads.submit(this::drain);
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> activations.get() > 1);
        second.prepare();
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> !second.executed.isEmpty());
        int before = activations.get();
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> activations.get() > before + 1);
        assertFalse(lost.isDone());
        first.prepare();

        assertEquals(0, lost.get(WAIT_SECS, TimeUnit.SECONDS));
        assertEquals(ALL, List.copyOf(first.executed));
        assertEquals(List.of(0L), List.copyOf(second.executed));
    }

    @Test
    void shouldPrepareABoltThatGetsItsFirstTuplesFromAnotherOne() throws Exception {
        first.sendsTo(second);
        start(first, second);
        first.prepare();
        first.receive(TUPLES);

        Future<Integer> lost = threads.submit(this::drain);
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> activations.get() > 0);
        second.prepare();

        assertEquals(0, lost.get(WAIT_SECS, TimeUnit.SECONDS));
        assertEquals(ALL, List.copyOf(first.executed));
        assertEquals(ALL, List.copyOf(second.executed));
    }

    /** Both are prepared, and the queue of the second one is empty again and again. */
    @RepeatedTest(20)
    void shouldEndNoBoltToWhichAnotherOneStillSends() throws Exception {
        first.sendsTo(second);
        start(first, second);
        first.prepare();
        second.prepare();
        first.receive(TUPLES);

        assertEquals(0, threads.submit(this::drain).get(WAIT_SECS, TimeUnit.SECONDS));

        assertEquals(ALL, List.copyOf(second.executed));
    }

    @Test
    void shouldNotPrepareBoltsThatHaveNothingToDo() throws Exception {
        start(first, second);
        first.prepare();
        first.receive(TUPLES);

        assertEquals(0, threads.submit(this::drain).get(WAIT_SECS, TimeUnit.SECONDS));

        assertEquals(ALL, List.copyOf(first.executed));
        assertEquals(0, activations.get());
        assertFalse(second.isPrepared());
    }

    @Test
    void shouldCountTuplesThatComeTooLate() throws Exception {
        start(first, second);
        first.prepare();
        first.onShutdown(() -> second.receive(3));

        assertEquals(3, threads.submit(this::drain).get(WAIT_SECS, TimeUnit.SECONDS));
    }

    /** An ack of a message that an earlier process has emitted may have come. */
    @Test
    void shouldNotWaitForASpoutThatIsNotOpen() throws Exception {
        ThreadedExecutor spout = new ThreadedExecutor(1, true);
        start(spout);
        spout.receive(1);

        assertEquals(0, threads.submit(this::drain).get(WAIT_SECS, TimeUnit.SECONDS));

        assertEquals(0, activations.get());
    }

    @Test
    void shouldHaveASpoutEmitNothingThatOpensAfterTheOthersHaveStopped() throws Exception {
        ThreadedExecutor spout = new ThreadedExecutor(1, true);
        Spout object = new Spout();
        drained.taskObjectMade(1, object, object);
        start(spout);
        threads.submit(() -> {
            drained.stopSpouts(() -> true);
            return null;
        }).get(WAIT_SECS, TimeUnit.SECONDS);

        spout.receive(1);
        spout.prepare();
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> spout.executed.size() == 1);

        assertEquals(0, threads.submit(drained::end).get(WAIT_SECS, TimeUnit.SECONDS));
        assertEquals(0, spout.rounds());
        assertEquals(0, object.deactivations, "it was never active");
    }

    /** The time for it is over. */
    @Test
    void shouldNotWaitForPendingMessagesOfASpoutThatMayNotWait() throws Exception {
        ThreadedExecutor spout = new ThreadedExecutor(1, true);
        start(spout);
        spout.prepare();
        drained.keeping(List.of(1L, 1L), new RotatingMap<>(2)).put(1L, null);
        AtomicBoolean mayWait = new AtomicBoolean(true);

        Future<?> stop = threads.submit(() -> {
            drained.stopSpouts(mayWait::get);
            return null;
        });
        mayWait.set(false);

        stop.get(WAIT_SECS, TimeUnit.SECONDS);
    }

    @Test
    void shouldRestOnlyWhenAllThatHasComeWasExecuted() throws Exception {
        first.sendsTo(second);
        start(first, second);
        first.receive(TUPLES);
        assertFalse(drained.areAtRest());
        assertTrue(activations.get() > 0, "its bolts are to be prepared");
        first.prepare();
        assertFalse(drained.areAtRest(), "the second one has to be prepared for what the first one sends");
        second.prepare();

        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(drained::areAtRest);
        assertEquals(ALL, List.copyOf(second.executed));
        second.receive(TUPLES);
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(drained::areAtRest);
        assertEquals(2 * TUPLES, second.executed.size(), "it goes on to execute what comes");
        second.receive(TUPLES);

        assertEquals(0, threads.submit(this::drain).get(WAIT_SECS, TimeUnit.SECONDS));
        assertEquals(3 * TUPLES, second.executed.size());
    }

    private int drain() throws InterruptedException {
        drained.stopSpouts(() -> true);
        return drained.end();
    }

    private void start(ThreadedExecutor... executors) {
        drained.transferMade(new SlotTransport(Set::of), () -> true);
        ThreadedExecutor system = new ThreadedExecutor(-1, false);
        List<ThreadedExecutor> all = Stream.concat(Stream.of(system), Stream.of(executors)).toList();
        all.forEach(executor -> executor.start(drained, threads));
        drained.started(new AtomicReference<>(List.<IRunningExecutor>copyOf(all)), activations::incrementAndGet);
        assertTrue(all.stream().noneMatch(ThreadedExecutor::isPrepared));
    }

    /** Is open as soon as its executor is. */
    private static final class Spout extends BaseRichSpout {

        private static final long serialVersionUID = 1;

        private volatile int deactivations;

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
            // The executor emits nothing.
        }

        @Override
        public void nextTuple() {
            throw new IllegalStateException("Its executor does not run it.");
        }

        @Override
        public void deactivate() {
            deactivations = 1;
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // There are none.
        }
    }
}
