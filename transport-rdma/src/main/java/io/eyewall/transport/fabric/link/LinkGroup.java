package io.eyewall.transport.fabric.link;

import io.eyewall.client.time.NanoClock;
import io.eyewall.transport.fabric.binding.CompletionQueue;
import io.eyewall.transport.fabric.binding.FabricException;
import io.eyewall.transport.fabric.link.driver.DriverLink;
import io.eyewall.transport.fabric.link.driver.EndpointDriver;
import io.eyewall.transport.fabric.link.driver.Sleeper;
import io.eyewall.transport.fabric.link.frame.Hello;
import io.eyewall.transport.fabric.link.frame.ProtocolException;
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
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Links that share one progress thread. Only this thread opens, polls and closes the library's objects that the links use. Groups are
 * independent of each other. Any thread except the progress thread may call the public methods.
 */
public final class LinkGroup implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LinkGroup.class);
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LONGEST_TICK_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long EVENTS_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int SLEEP_MS = 20;
    /** The longest sleep while there are unfinished sends: a completed send does not wake the thread. */
    private static final int SENDING_SLEEP_MS = 1;
    private static final int THREAD_CHECK_MS = 100;

    private final String name;
    private final LinkConfiguration configuration;
    private final NanoClock clock;
    private final Thread thread;
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final Queue<LinkSession> retries = new ConcurrentLinkedQueue<>();
    /** How many links have unfinished sends, for which the progress thread must poll. */
    private final AtomicInteger unfinishedLinks = new AtomicInteger();
    private volatile boolean running = true;
    /** The progress thread sleeps, or is about to: a thread that gives it work must wake it. */
    private volatile boolean sleeping;
    /** Null if the progress thread never sleeps. Written by the progress thread. */
    private volatile Sleeper sleeper;

    // Only the progress thread uses the following fields, except where a field says otherwise.
    private final Set<LinkSession> links = new HashSet<>();
    /** Closed links whose buffers the provider may still use. */
    private final List<LinkSession> closedLinks = new ArrayList<>();
    private EndpointDriver driver;
    private IdleStrategy idle;
    private boolean eventsDue;
    private long nextEventsNs;
    private long nextTickNs;
    /** When the current round began. Other threads that create links read it too; an old value does no harm. */
    private volatile long nowNs;

    private LinkGroup(String name, LinkConfiguration configuration, NanoClock clock) {
        this.name = name;
        this.configuration = configuration;
        this.clock = clock;
        this.nowNs = clock.nanoTime();
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    /**
     * Opens a group and starts its thread.
     *
     * @param name names the group in log lines, and its thread
     * @throws FabricException if the library or the provider is missing, with the remedy
     */
    public static LinkGroup open(String name, LinkConfiguration configuration, NanoClock clock) {
        return open(name, configuration, clock, group -> EndpointDriver.open(configuration.driver(), name, clock, group::execute,
            group::onNewDevice));
    }

    /** As {@link #open(String, LinkConfiguration, NanoClock)}, with a driver of the caller's. */
    static LinkGroup open(String name, LinkConfiguration configuration, NanoClock clock, Function<LinkGroup, EndpointDriver> drivers) {
        LinkGroup group = new LinkGroup(name, configuration, clock);
        group.thread.start();
        try {
            group.call(() -> group.driver = drivers.apply(group));
        } catch (RuntimeException e) {
            group.close();
            throw e;
        }
        return group;
    }

    /**
     * Accepts links from peers that know the secret.
     *
     * @param port 0 for any free port
     * @param handler receives messages and events of all accepted links
     * @throws FabricException if it cannot listen on the port
     */
    public LinkServer listen(int port, LinkSecret secret, LinkHandler handler) {
        return new LinkServer(this, call(() -> driver.listen(port, new Acceptor(secret, handler))));
    }

    /**
     * Starts to open a link. The handler learns when it is open, or why it could not be opened.
     *
     * @param peer a resolved address
     */
    public Link connect(InetSocketAddress peer, LinkSecret secret, LinkHandler handler) {
        LinkSession session = new LinkSession(this, secret, handler, peer.getAddress().getHostAddress() + ":" + peer.getPort(), true);
        execute(() -> {
            links.add(session);
            try {
                driver.connect(session, peer);
            } catch (FabricException e) {
                session.fail(e.getMessage());
            }
        });
        return session.link();
    }

    /** Closes all links and ports at once, and ends the thread. Messages in flight are lost, unless their links are closed before. */
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

    /** How many links have buffers: open ones, and closed ones whose buffers the provider still uses. */
    int linksWithBuffers() {
        return driver.linksWithBuffers();
    }

    /** When the current round of the progress thread began. */
    long nowNs() {
        return nowNs;
    }

    long peerTimeoutNs() {
        return TimeUnit.MILLISECONDS.toNanos(configuration.peerTimeoutMs());
    }

    /** Lets the progress thread run a command. */
    void execute(Runnable command) {
        commands.add(command);
        wake();
    }

    /** Lets the progress thread post the frames that a link could not post. */
    void retry(LinkSession session) {
        retries.add(session);
        wake();
    }

    /** Counts the links with unfinished sends: each link calls it with true and false in turn. */
    void countUnfinishedLink(boolean unfinished) {
        unfinishedLinks.addAndGet(unfinished ? 1 : -1);
    }

    /** Lets the progress thread poll for completed sends soon. */
    void pollSendsSoon() {
        wake();
    }

    void refuseProgressThread(String what) {
        if (Thread.currentThread() == thread) {
            throw new IllegalStateException("The progress thread of " + name + " must not " + what
                + ": no other thread could end the wait");
        }
    }

    /** Called when a link is closed. Its buffers can be freed as soon as no operation uses them. For the progress thread. */
    void onClosed(LinkSession session) {
        if (links.remove(session)) {
            closedLinks.add(session);
        }
    }

    /** Called when the driver has another device to sleep on. For the progress thread. */
    private void onNewDevice() {
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
                result.copy().completeOnTimeout(null, THREAD_CHECK_MS, TimeUnit.MILLISECONDS).join();
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
                LOG.error("{} failed; it closes its links, which are then opened again", name, e);
                failAll("the progress thread failed: " + e.getMessage());
            }
        }
        shutDown();
    }

    /** Does one bounded round of work; returns how much it did. */
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
            closedLinks.removeIf(session -> session.release(completionsRead));
        }
        work += polled + retryLinks();
        // While a full batch was read, more frames may wait: a link must not be taken for silent before they are read.
        long overdueNs = polled < CompletionQueue.BATCH ? 0 : LONGEST_TICK_NS;
        if (nowNs - nextTickNs >= overdueNs) {
            nextTickNs = nowNs + TICK_NS;
            for (LinkSession session : links.toArray(new LinkSession[0])) {
                session.onTick(nowNs);
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

    /** Sleeps unless there is work; returns whether it found and did work instead. */
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

    /** Another thread may have caused a completion since the last round, and not every provider's preparation notices. */
    private boolean foundWork(boolean sending) {
        return driver.poll(false) + (sending ? driver.pollSends() : 0) > 0;
    }

    private void failAll(String reason) {
        for (LinkSession session : links.toArray(new LinkSession[0])) {
            session.fail(reason);
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
            closedLinks.forEach(LinkSession::releaseAfterEndpoints);
            driver.close();
        }
        runCommands();
    }

    /** Creates the links that peers ask for on one port. */
    private final class Acceptor implements EndpointDriver.Acceptor {

        private final LinkSecret secret;
        private final LinkHandler handler;

        Acceptor(LinkSecret secret, LinkHandler handler) {
            this.secret = secret;
            this.handler = handler;
        }

        @Override
        public void check(Hello hello) throws ProtocolException {
            secret.check(hello, true);
        }

        @Override
        public DriverLink accept(String peer) {
            LinkSession session = new LinkSession(LinkGroup.this, secret, handler, peer, false);
            links.add(session);
            return session;
        }
    }
}
