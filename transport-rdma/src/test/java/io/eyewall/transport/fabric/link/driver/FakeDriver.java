package io.eyewall.transport.fabric.link.driver;

import com.sun.jna.Pointer;
import io.eyewall.transport.fabric.binding.MemoryRegion;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Connects links of one group with each other over a fake datagram provider, which misbehaves as far as providers may: it refuses sends and
 * receives for want of resources, and completes operations in any order. A seed decides which and how.
 */
public final class FakeDriver implements EndpointDriver {

    private static final long EAGAIN = -11;
    private static final int AGAIN_PERCENT = 20;

    private final DriverConfiguration configuration;
    private final OperationContextTable contexts;
    private final Random random;
    private final Map<Integer, FakePort> ports = new HashMap<>();
    private final List<Runnable> receives = new ArrayList<>();
    private final List<Runnable> sends = new ArrayList<>();
    /** Of all links, the listening end of each before the connecting end. */
    private final List<LinkBuffers> buffers = new CopyOnWriteArrayList<>();
    private volatile boolean keepingBuffers;
    private volatile boolean refusingReceives;
    private volatile int polls;
    private int refusals;
    private int reordered;

    public FakeDriver(DriverConfiguration configuration, long seed) {
        this.configuration = configuration;
        this.contexts = new OperationContextTable(configuration.slots());
        this.random = new Random(seed);
    }

    /** From now on the receives of a closed link stay posted, so that its buffers stay until the group is closed. */
    public void keepBuffers() {
        keepingBuffers = true;
    }

    /** Chooses whether all receives are refused from now on. */
    public void refuseReceives(boolean refuse) {
        refusingReceives = refuse;
    }

    /** How often it was polled. */
    public int polls() {
        return polls;
    }

    /** The buffers of all links. */
    public List<LinkBuffers> buffers() {
        return buffers;
    }

    /** How many sends and receives it refused. */
    public synchronized int refusals() {
        return refusals;
    }

    /** In how many rounds it completed operations out of order. */
    public synchronized int reordered() {
        return reordered;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // Only the progress thread writes it.
    public int poll(boolean withEvents) {
        polls++;
        return complete(receives);
    }

    @Override
    public int pollSends() {
        return complete(sends);
    }

    private int complete(List<Runnable> completions) {
        List<Runnable> now;
        synchronized (this) {
            now = new ArrayList<>(completions);
            completions.clear();
            List<Runnable> before = new ArrayList<>(now);
            Collections.shuffle(now, random);
            if (!now.equals(before)) {
                reordered++;
            }
        }
        now.forEach(Runnable::run);
        return now.size();
    }

    @Override
    public Port listen(int port, Acceptor acceptor) {
        FakePort open = new FakePort(port, acceptor);
        ports.put(port, open);
        return open;
    }

    @Override
    public void connect(DriverLink link, InetSocketAddress peer) {
        DriverLink incoming = ports.get(peer.getPort()).acceptor.accept("fake");
        FakeChannel here = new FakeChannel();
        FakeChannel there = new FakeChannel();
        here.other = there;
        there.other = here;
        incoming.attach(allocate(incoming), there);
        link.attach(allocate(link), here);
        incoming.onConnected();
        link.onConnected();
    }

    @Override
    public Sleeper sleeper() {
        return null;
    }

    @Override
    public int linksWithBuffers() {
        return contexts.links();
    }

    @Override
    public void closeEndpoints() {
        ports.clear();
    }

    @Override
    public void close() {
        receives.clear();
        sends.clear();
        contexts.close();
    }

    private LinkBuffers allocate(DriverLink link) {
        LinkBuffers allocated = LinkBuffers.allocate(size -> MemoryRegion.unregistered(size, false), contexts, link, configuration);
        buffers.add(allocated);
        return allocated;
    }

    private record Receive(long address, long context) {
    }

    /** Guarded by the lock of the driver. */
    private final class FakeChannel implements FrameChannel {

        private final ArrayDeque<Receive> posted = new ArrayDeque<>();
        private final ArrayDeque<byte[]> unexpected = new ArrayDeque<>();
        private FakeChannel other;

        @Override
        public long send(long address, int lengthBytes, long context) {
            synchronized (FakeDriver.this) {
                if (random.nextInt(100) < AGAIN_PERCENT) {
                    refusals++;
                    return EAGAIN;
                }
                other.unexpected.add(new Pointer(address).getByteArray(0, lengthBytes));
                sends.add(() -> contexts.link(context).onSent(contexts.slot(context), 0));
                other.match();
                return 0;
            }
        }

        @Override
        public int pollSends() {
            return FakeDriver.this.pollSends();
        }

        @Override
        public long receive(long address, int lengthBytes, long context) {
            synchronized (FakeDriver.this) {
                if (refusingReceives || random.nextInt(100) < AGAIN_PERCENT) {
                    refusals++;
                    return EAGAIN;
                }
                posted.add(new Receive(address, context));
                match();
                return 0;
            }
        }

        @Override
        public boolean close(long[] receiveContexts) {
            return !keepingBuffers;
        }

        @Override
        public void released() {
            posted.clear();
        }

        @Override
        public String describe(long result) {
            return "error " + result;
        }

        private void match() {
            while (!posted.isEmpty() && !unexpected.isEmpty()) {
                Receive receive = posted.remove();
                byte[] frame = unexpected.remove();
                new Pointer(receive.address()).write(0, frame, 0, frame.length);
                receives.add(() -> contexts.link(receive.context()).onReceived(contexts.slot(receive.context()), frame.length, 0));
            }
        }
    }

    private static final class FakePort implements Port {

        private final int number;
        private final Acceptor acceptor;

        FakePort(int number, Acceptor acceptor) {
            this.number = number;
            this.acceptor = acceptor;
        }

        @Override
        public int number() {
            return number;
        }

        @Override
        public void close() {
            // A fake port holds nothing that must be closed.
        }
    }
}
