package io.eyewall.client.hot;

import io.eyewall.client.engine.FullQueueWaitStrategy;
import io.eyewall.client.engine.SpaceSignal;
import io.eyewall.client.engine.WakingQueue;
import io.eyewall.client.seam.QueueRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.metrics2.StormMetricRegistry;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.utils.RotatingMap;
import org.awaitility.Awaitility;

/** An executor of one task with a thread and upstream's loop. It is prepared when the test says so, and may send each tuple to another. */
final class ThreadedExecutor implements TestExecutor {

    static final int QUEUE_TUPLES = 128;
    private static final int SENDER = 9;
    private static final int WAIT_SECS = 120;

    /** The messages in the order in which they were executed. */
    final Queue<Long> executed = new ConcurrentLinkedQueue<>();
    private final int task;
    private final boolean isSpout;
    private final WakingQueue queue;
    private final Queue<AddressedTuple> pendingEmits = new ArrayDeque<>();
    private final CountDownLatch mayPrepare = new CountDownLatch(1);
    private final AtomicInteger rounds = new AtomicInteger();
    private volatile boolean prepared;
    private volatile Runnable onShutdown = () -> { };
    private ThreadedExecutor next;

    ThreadedExecutor(int task, boolean isSpout) {
        this.task = task;
        this.isSpout = isSpout;
        queue = new WakingQueue(new QueueRequest("queue" + task, "queue" + task, QUEUE_TUPLES, 0, 1, new FullQueueWaitStrategy(),
            "topology-1", "component", List.of(task), 6700, new StormMetricRegistry()), true, new SpaceSignal());
    }

    /** Has it send each tuple to another one; before its start. */
    void sendsTo(ThreadedExecutor other) {
        next = other;
    }

    /** Runs something when its objects are closed. */
    void onShutdown(Runnable action) {
        onShutdown = action;
    }

    /** Starts its thread. */
    void start(DrainedExecutors drained, ExecutorService threads) {
        Callable<?> loop = drained.loop(this, () -> {
            mayPrepare.await();
            if (isSpout) {
                drained.keeping(id(), new RotatingMap<>(2));
            }
            prepared = true;
            return (Callable<Object>) this::round;
        });
        Future<?> unused = threads.submit(() -> {
            Callable<?> body = (Callable<?>) loop.call();
            for (Object sleepMs = body.call(); sleepMs != null && !Thread.interrupted(); sleepMs = body.call()) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos((Long) sleepMs));
            }
            return null;
        });
    }

    /** Has so many tuples come from another worker. */
    void receive(int tuples) {
        ArrayList<Object> group = new ArrayList<>();
        for (int message = 0; message < tuples; message++) {
            group.add(SimTuple.of(SENDER, task, message, message));
        }
        if (queue.isEmptyOverflow()) {
            queue.receive(group);
        }
        group.forEach(queue::tryPublishToOverflow);
    }

    /** Ends its wait, and returns when it is prepared. */
    void prepare() {
        mayPrepare.countDown();
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> prepared);
    }

    /** How often upstream's loop has run. */
    int rounds() {
        return rounds.get();
    }

    private Object round() {
        rounds.incrementAndGet();
        sendPendingEmits();
        return pendingEmits.isEmpty() && executeInput() > 0 ? 0L : 1L;
    }

    @Override
    public void accept(Object element) {
        long message = SimTuple.message(((AddressedTuple) element).tuple);
        executed.add(message);
        if (next != null) {
            pendingEmits.add(SimTuple.of(task, next.task, message, message));
            sendPendingEmits();
        }
    }

    @Override
    public List<Long> id() {
        return List.of((long) task, (long) task);
    }

    @Override
    public List<Integer> tasks() {
        return List.of(task);
    }

    @Override
    public String describe() {
        return "component" + id();
    }

    @Override
    public WakingQueue queue() {
        return queue;
    }

    @Override
    public boolean isSpout() {
        return isSpout;
    }

    @Override
    public boolean isPrepared() {
        return prepared;
    }

    @Override
    public int executeInput() {
        return queue.consume(this, pendingEmits::isEmpty);
    }

    @Override
    public Queue<AddressedTuple> pendingEmits() {
        return pendingEmits;
    }

    @Override
    public void sendPendingEmits() {
        while (!pendingEmits.isEmpty() && next.queue.tryPublish(pendingEmits.peek())) {
            pendingEmits.remove();
        }
    }

    @Override
    public void lookUpQueues() {
        // It knows the other executor.
    }

    @Override
    public void shutdown() {
        onShutdown.run();
    }
}
