package io.eyewall.transport.fabric.link;

import io.eyewall.client.time.NanoClock;
import io.eyewall.transport.fabric.binding.CompletionQueue;
import io.eyewall.transport.fabric.binding.EndpointType;
import io.eyewall.transport.fabric.binding.FabricException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Links that share one progress thread, which alone opens, watches and closes everything of the library for them. All groups of a process,
 * and all processes of a host, are independent. Public methods are safe for any thread but the progress thread.
 */
public final class LinkGroup implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LinkGroup.class);
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LONGEST_TICK_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long EVENTS_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int SLEEP_MS = 20;
    /** The longest sleep while sends are not finished, whose end wakes nobody. */
    private static final int SENDING_SLEEP_MS = 1;
    private static final int LOOK_MS = 100;

    private final String name;
    private final LinkConfiguration configuration;
    private final NanoClock clock;
    private final OperationContextTable contexts;
    private final Thread thread;
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final Queue<Link> retries = new ConcurrentLinkedQueue<>();
    /** How many links there are whose sends the progress thread must see to. */
    private final AtomicInteger unfinishedLinks = new AtomicInteger();
    private volatile boolean running = true;
    /** The progress thread sleeps, or is about to: whoever gives it work must wake it. */
    private volatile boolean sleeping;
    /** How it sleeps, or null if it does not. Written by the progress thread. */
    private volatile Sleeper sleeper;

    // For the progress thread alone.
    private final Set<Link> links = new HashSet<>();
    private final List<Link> closedLinks = new ArrayList<>();
    private EndpointDriver driver;
    private IdleStrategy idle;
    private boolean eventsDue;
    private long nextEventsNs;
    private long nextTickNs;
    /** Also read by other threads that make links, for which an old value does. */
    private volatile long nowNs;

    private LinkGroup(String name, LinkConfiguration configuration, NanoClock clock) {
        this.name = name;
        this.configuration = configuration;
        this.clock = clock;
        this.nowNs = clock.nanoTime();
        this.contexts = new OperationContextTable(configuration.slots());
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    /**
     * Opens a group and starts its thread.
     *
     * @param name of the group and its thread
     * @throws FabricException if the library or the provider is missing, with the remedy
     */
    public static LinkGroup open(String name, LinkConfiguration configuration, NanoClock clock) {
        return open(name, configuration, clock,
            configuration.type() == EndpointType.CONNECTED ? ConnectedEndpointDriver::new : TaggedEndpointDriver::new);
    }

    /** As {@link #open(String, LinkConfiguration, NanoClock)}, with any driver. */
    static LinkGroup open(String name, LinkConfiguration configuration, NanoClock clock,
        BiFunction<LinkGroup, OperationContextTable, EndpointDriver> drivers) {
        LinkGroup group = new LinkGroup(name, configuration, clock);
        group.thread.start();
        try {
            group.call(() -> group.driver = drivers.apply(group, group.contexts));
        } catch (FabricException e) {
            group.close();
            throw e;
        }
        return group;
    }

    /**
     * Takes links from peers that know the secret.
     *
     * @param port 0 for any free one
     * @param listener told of all links taken
     * @throws FabricException if the port cannot be listened on
     */
    public LinkServer listen(int port, LinkSecret secret, LinkHandler listener) {
        return new LinkServer(this, call(() -> driver.listen(port, secret, listener)));
    }

    /**
     * Starts to make a link. The listener is told when it is open, or why it is closed again.
     *
     * @param peer a resolved address
     */
    public Link connect(InetSocketAddress peer, LinkSecret secret, LinkHandler listener) {
        Link link = new Link(this, secret, listener, peer.getAddress().getHostAddress() + ":" + peer.getPort(), true);
        execute(() -> {
            links.add(link);
            try {
                driver.connect(link, peer, secret);
            } catch (FabricException e) {
                link.fail(e.getMessage());
            }
        });
        return link;
    }

    /** Closes all links and listeners at once, and ends the thread. To hand over what was sent, close the links before. */
    @Override
    public void close() {
        running = false;
        wake();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        contexts.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return name;
    }

    LinkConfiguration configuration() {
        return configuration;
    }

    /** How many links have buffers: those that are not closed, and those whose buffers the provider still uses. */
    int linksWithBuffers() {
        return contexts.links();
    }

    NanoClock clock() {
        return clock;
    }

    /** The time at the beginning of the round. */
    long nowNs() {
        return nowNs;
    }

    long peerTimeoutNs() {
        return TimeUnit.MILLISECONDS.toNanos(configuration.peerTimeoutMs());
    }

    /** What this end says first. */
    Hello hello(byte[] proof, int linkId, byte[] endpointName) {
        return new Hello(proof, configuration.frameBytes(), configuration.receiveFrames(), linkId, endpointName);
    }

    /** Lets the progress thread do something. */
    void execute(Runnable command) {
        commands.add(command);
        wake();
    }

    /** Lets the progress thread try again to post what a link has ready. */
    void retry(Link link) {
        retries.add(link);
        wake();
    }

    /** A link leaves unfinished sends to the progress thread, or has none any more: one after the other, in turn. */
    void leaveSends(boolean unfinished) {
        unfinishedLinks.addAndGet(unfinished ? 1 : -1);
    }

    /** Lets the progress thread look soon whether sends are finished. */
    void hurrySends() {
        wake();
    }

    void refuseProgressThread(String what) {
        if (Thread.currentThread() == thread) {
            throw new IllegalStateException("The progress thread of " + name + " must not " + what + ": nobody else could end the wait");
        }
    }

    /** Makes a link that a peer asked for; by the progress thread. */
    Link newLink(LinkSecret secret, LinkHandler listener, String peer, boolean connecting) {
        Link link = new Link(this, secret, listener, peer, connecting);
        links.add(link);
        return link;
    }

    /** A link is closed; its memory is released as soon as nothing uses it. By the progress thread. */
    void forget(Link link) {
        if (links.remove(link)) {
            closedLinks.add(link);
        }
    }

    /** There are other devices to sleep on; by the progress thread. */
    void railsChanged() {
        idle = null;
    }

    private void wake() {
        Sleeper current = sleeper;
        if (sleeping && current != null) {
            current.wake();
        }
    }

    private <T> T call(Supplier<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        execute(() -> {
            try {
                result.complete(task.get());
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        try {
            while (!result.isDone() && thread.isAlive()) {
                result.copy().completeOnTimeout(null, LOOK_MS, TimeUnit.MILLISECONDS).join();
            }
            if (!result.isDone()) {
                throw new IllegalStateException(name + " is closed");
            }
            return result.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private void run() {
        while (running) {
            try {
                int work = doWork();
                if (idle == null && driver != null) {
                    idle = newIdleStrategy();
                }
                if (idle != null) {
                    idle.idle(work);
                }
            } catch (RuntimeException e) {
                LOG.error("{}: a round failed; its links are closed, to be made anew", name, e);
                failAll("the progress thread failed: " + e.getMessage());
            }
        }
        shutDown();
    }

    /** One bounded round; returns how much there was to do. */
    private int doWork() {
        nowNs = clock.nanoTime();
        int work = runCommands();
        if (driver == null) {
            return work;
        }
        boolean withEvents = eventsDue || nowNs - nextEventsNs >= 0;
        if (withEvents) {
            eventsDue = false;
            nextEventsNs = nowNs + EVENTS_NS;
        }
        int polled = driver.poll(withEvents);
        if (unfinishedLinks.get() > 0 || !closedLinks.isEmpty()) {
            polled += driver.pollSends();
        }
        if (!closedLinks.isEmpty()) {
            boolean completionsRead = polled == 0;
            closedLinks.removeIf(link -> link.release(completionsRead));
        }
        work += polled + retryLinks();
        // A link may have a sign of life among completions that are not read yet.
        long overdueNs = polled < CompletionQueue.BATCH ? 0 : LONGEST_TICK_NS;
        if (nowNs - nextTickNs >= overdueNs) {
            nextTickNs = nowNs + TICK_NS;
            for (Link link : links.toArray(new Link[0])) {
                link.onTick(nowNs);
            }
        }
        return work;
    }

    private int runCommands() {
        int work = 0;
        for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
            command.run();
            work++;
        }
        return work;
    }

    private int retryLinks() {
        int count = retries.size();
        for (int i = 0; i < count; i++) {
            retries.remove().retry();
        }
        return count;
    }

    private IdleStrategy newIdleStrategy() {
        sleeper = configuration.idleMode() == IdleMode.WAIT ? driver.sleeper() : null;
        if (sleeper != null) {
            return new IdleStrategy(IdleMode.WAIT, this::sleep, clock);
        }
        return new IdleStrategy(configuration.idleMode() == IdleMode.SPIN ? IdleMode.SPIN : IdleMode.BACK_OFF, () -> false, clock);
    }

    /** Whether there was something to do instead, and it has been done. */
    private boolean sleep() {
        sleeping = true;
        try {
            boolean sending = unfinishedLinks.get() > 0;
            if (!running || !commands.isEmpty() || !retries.isEmpty() || !sleeper.prepare()) {
                return false;
            }
            if (foundWork(sending)) {
                return true;
            }
            eventsDue = sleeper.sleep(sending ? SENDING_SLEEP_MS : SLEEP_MS);
            return false;
        } finally {
            sleeping = false;
        }
    }

    /** Another thread may have caused a completion since the last round, and not every provider's preparations tell. */
    private boolean foundWork(boolean sending) {
        return driver.poll(false) + (sending ? driver.pollSends() : 0) > 0;
    }

    private void failAll(String reason) {
        for (Link link : links.toArray(new Link[0])) {
            link.fail(reason);
        }
    }

    private void shutDown() {
        runCommands();
        failAll("the group is closed");
        if (driver != null) {
            driver.closeEndpoints();
            int polled = CompletionQueue.BATCH;
            while (polled > 0) {
                polled = driver.pollSends();
            }
            closedLinks.forEach(Link::releaseAnyway);
            driver.close();
        }
        runCommands();
    }
}
