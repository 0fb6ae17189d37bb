package io.eyewall.tail.clock;

import io.eyewall.client.time.NanoClock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A UDP socket that asks other hosts for their time and answers their questions. Used by one thread, except {@link #wakeUp()}. An answer is
 * as long as its question, and there is a bound on how many there are in a second, since anybody may ask.
 */
public final class ClockProber implements AutoCloseable {

    /** How many packets are read before the questions that are due are sent. */
    private static final int MAX_PACKETS = 1_000;
    /** How many questions are answered in a second: five for each of four thousand peers. */
    static final int MAX_ANSWERS_PER_SEC = 20_000;

    private final long topology;
    private final NanoClock clock;
    private final LongSupplier random;
    private final Selector selector;
    private final DatagramChannel channel;
    /** One byte longer than a packet, to detect packets that are too long. */
    private final ByteBuffer buffer = ByteBuffer.allocate(ClockProbe.LENGTH + 1);
    private long secondBeganNs;
    private int answers;

    /**
     * Binds the socket.
     *
     * @param port the UDP port, on all addresses of this host
     * @param topologyId the topology; packets of others are ignored
     * @param clock this host's clock
     * @param random numbers that others cannot guess
     * @throws IOException if the port is in use or not allowed
     */
    public ClockProber(int port, String topologyId, NanoClock clock, LongSupplier random) throws IOException {
        this.topology = ClockProbe.topology(topologyId);
        this.clock = clock;
        this.random = random;
        secondBeganNs = clock.nanoTime();
        selector = Selector.open();
        channel = DatagramChannel.open();
        try {
            channel.bind(new InetSocketAddress(port));
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /** The exchange with the prober at that address, for {@link #exchange}. */
    public ClockExchange exchangeWith(InetSocketAddress address) {
        return new ClockExchange(address, random, clock.nanoTime());
    }

    /**
     * Sends the questions that are due. Then it waits for packets, answers questions and takes answers until the next question is due, for
     * at most {@code maxWaitMs} or until {@link #wakeUp}.
     *
     * @throws IOException if the socket has failed; a packet that cannot be sent to one peer counts as lost and does not throw
     */
    public void exchange(Collection<ClockExchange> peers, long maxWaitMs) throws IOException {
        long waitNs = TimeUnit.MILLISECONDS.toNanos(maxWaitMs);
        for (ClockExchange peer : peers) {
            if (peer.untilDueNs(clock.nanoTime()) <= 0) {
                send(peer.ask(topology, clock.nanoTime()), peer.address());
            }
            waitNs = Math.min(waitNs, peer.untilDueNs(clock.nanoTime()));
        }
        selector.select(Math.max(1, TimeUnit.NANOSECONDS.toMillis(waitNs)));
        selector.selectedKeys().clear();
        for (int packets = 0; packets < MAX_PACKETS; packets++) {
            InetSocketAddress from = (InetSocketAddress) channel.receive(buffer.clear());
            if (from == null) {
                return;
            }
            take(from, clock.nanoTime(), peers);
        }
    }

    /** Makes the current call of {@link #exchange}, or the next one, return at once. Safe for use by any thread. */
    public void wakeUp() {
        selector.wakeup();
    }

    @Override
    public void close() throws IOException {
        channel.close();
        selector.close();
    }

    private void take(InetSocketAddress from, long nowNs, Collection<ClockExchange> peers) {
        Optional<ClockProbe> packet = ClockProbe.read(buffer.flip());
        if (packet.isEmpty() || packet.get().topology() != topology) {
            return;
        }
        ClockProbe probe = packet.get();
        if (!probe.answer()) {
            if (mayAnswer(nowNs)) {
                send(probe.answered(nowNs, clock.nanoTime()), from);
            }
            return;
        }
        for (ClockExchange peer : peers) {
            if (peer.hear(probe, nowNs)) {
                return;
            }
        }
    }

    private boolean mayAnswer(long nowNs) {
        if (nowNs - secondBeganNs >= TimeUnit.SECONDS.toNanos(1)) {
            secondBeganNs = nowNs;
            answers = 0;
        }
        return answers++ < MAX_ANSWERS_PER_SEC;
    }

    private void send(ClockProbe probe, InetSocketAddress to) {
        probe.write(buffer);
        try {
            channel.send(buffer, to);
        } catch (IOException e) {
            return; // No route, or no space: the packet counts as lost.
        }
    }
}
