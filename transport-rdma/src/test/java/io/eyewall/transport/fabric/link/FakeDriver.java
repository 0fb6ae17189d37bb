package io.eyewall.transport.fabric.link;

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
 * A provider of datagrams within one group that misbehaves as far as providers may: it refuses sends and receives for want of resources,
 * and completes what is under way in any order. The seed decides which and how.
 */
final class FakeDriver implements EndpointDriver {

    private static final long EAGAIN = -11;
    private static final int AGAIN_PERCENT = 20;

    private final LinkGroup group;
    private final OperationContextTable contexts;
    private final Random random;
    private final Map<Integer, Port> ports = new HashMap<>();
    private final List<Runnable> receives = new ArrayList<>();
    private final List<Runnable> sends = new ArrayList<>();
    /** Of all links, the listening end of each before the connecting one. */
    private final List<LinkBuffers> memories = new CopyOnWriteArrayList<>();
    private volatile boolean keepingBuffers;
    private volatile boolean refusingReceives;
    private volatile int polls;
    private int refusals;
    private int reordered;

    FakeDriver(LinkGroup group, OperationContextTable contexts, long seed) {
        this.group = group;
        this.contexts = contexts;
        this.random = new Random(seed);
    }

    /** From now on no receive of a closed link is given back, so its buffers stay until the group is closed. */
    void keepBuffers() {
        keepingBuffers = true;
    }

    /** Whether it has resources for no receive at all from now on. */
    void refuseReceives(boolean refuse) {
        refusingReceives = refuse;
    }

    /** How often it was polled. */
    int polls() {
        return polls;
    }

    List<LinkBuffers> memories() {
        return memories;
    }

    synchronized int refusals() {
        return refusals;
    }

    synchronized int reordered() {
        return reordered;
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // The progress thread alone writes it.
    public int poll(boolean withEvents) {
        polls++;
        return handOver(receives);
    }

    @Override
    public int pollSends() {
        return handOver(sends);
    }

    private int handOver(List<Runnable> completions) {
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
    public LinkServer.Port listen(int port, LinkSecret secret, LinkHandler listener) {
        Port open = new Port(port, secret, listener);
        ports.put(port, open);
        return open;
    }

    @Override
    public void connect(Link link, InetSocketAddress peer, LinkSecret secret) {
        Port port = ports.get(peer.getPort());
        Link incoming = group.newLink(port.secret, port.listener, "fake", false);
        FakeFrameChannel here = new FakeFrameChannel();
        FakeFrameChannel there = new FakeFrameChannel();
        here.other = there;
        there.other = here;
        incoming.attach(memory(incoming), there, group.configuration());
        link.attach(memory(link), here, group.configuration());
        incoming.onConnected();
        link.onConnected();
    }

    @Override
    public Sleeper sleeper() {
        return null;
    }

    @Override
    public void closeEndpoints() {
        ports.clear();
    }

    @Override
    public void close() {
        receives.clear();
        sends.clear();
    }

    private LinkBuffers memory(Link link) {
        LinkBuffers memory =
            LinkBuffers.allocate(size -> MemoryRegion.unregistered(size, false), contexts, link, group.configuration());
        memories.add(memory);
        return memory;
    }

    private record Receive(long address, long context) {
    }

    /** Not synchronized by itself: the driver is. */
    private final class FakeFrameChannel implements FrameChannel {

        private final ArrayDeque<Receive> receives = new ArrayDeque<>();
        private final ArrayDeque<byte[]> unexpected = new ArrayDeque<>();
        private FakeFrameChannel other;

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
                receives.add(new Receive(address, context));
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
            receives.clear();
        }

        @Override
        public String describe(long result) {
            return "error " + result;
        }

        private void match() {
            while (!receives.isEmpty() && !unexpected.isEmpty()) {
                Receive receive = receives.remove();
                byte[] frame = unexpected.remove();
                new Pointer(receive.address()).write(0, frame, 0, frame.length);
                FakeDriver.this.receives.add(() ->
                    contexts.link(receive.context()).onReceived(contexts.slot(receive.context()), frame.length, 0));
            }
        }
    }

    private static final class Port implements LinkServer.Port {

        private final int number;
        private final LinkSecret secret;
        private final LinkHandler listener;

        Port(int number, LinkSecret secret, LinkHandler listener) {
            this.number = number;
            this.secret = secret;
            this.listener = listener;
        }

        @Override
        public int number() {
            return number;
        }

        @Override
        public void close() {
            // A fake port has nothing to close.
        }
    }
}
