package io.eyewall.client.fuzz;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import javax.net.SocketFactory;
import org.apache.storm.shade.io.netty.util.internal.PlatformDependent;

/** Inputs for a port: bytes at random, and good messages, most of them with wrong bytes. The same seed makes the same inputs. */
public final class Fuzz {

    /** How many inputs a port gets; {@code -Deyewall.fuzz.inputs=1000000} for a long run. */
    public static final int INPUTS = Integer.getInteger("eyewall.fuzz.inputs", 8_000);

    /** How many inputs a connection gets, unless it is closed at the other end before. */
    public static final int INPUTS_PER_CONNECTION = 10;

    private static final int PATIENCE_MS = 120_000;
    private static final int MAX_GARBAGE_BYTES = 300;
    private static final int MAX_MUTATIONS = 4;
    private static final int[] LENGTHS = {0, 1, -1, 0xffff, 1 << 20, 1 << 30, Integer.MAX_VALUE, Integer.MIN_VALUE};

    private final Random random;
    private final List<byte[]> good;

    /** Takes good messages, at least one, each not empty. */
    public Fuzz(long seed, List<byte[]> good) {
        random = new Random(seed);
        this.good = good;
    }

    /** The next input, which is not empty. */
    public byte[] next() {
        if (random.nextInt(4) == 0) {
            byte[] garbage = new byte[1 + random.nextInt(MAX_GARBAGE_BYTES)];
            random.nextBytes(garbage);
            return garbage;
        }
        byte[] message = good.get(random.nextInt(good.size())).clone();
        for (int mutations = random.nextInt(MAX_MUTATIONS + 1); mutations > 0; mutations--) {
            message = mutated(message);
        }
        return message;
    }

    /** Sends so many inputs to a port of this host, one connection after the other. */
    public void send(int port, int inputs) throws IOException {
        send(SocketFactory.getDefault(), port, inputs);
    }

    /** The same over connections of some kind, such as those that begin with a handshake of TLS. */
    public void send(SocketFactory sockets, int port, int inputs) throws IOException {
        for (int sent = 0; sent < inputs; sent += INPUTS_PER_CONNECTION) {
            try (Socket stranger = sockets.createSocket(InetAddress.getLoopbackAddress(), port)) {
                sendOver(stranger);
                end(stranger);
            }
        }
    }

    /** Sends what a connection gets. */
    public void sendOver(Socket stranger) {
        try {
            OutputStream out = stranger.getOutputStream();
            for (int i = 0; i < INPUTS_PER_CONNECTION; i++) {
                out.write(next());
            }
        } catch (IOException e) {
            return; // The other end has closed the connection.
        }
    }

    /**
     * Ends the connection by a reset, or waits until the other end does: else more would wait for it than there are file descriptors, or
     * than the kernel lets wait.
     */
    private void end(Socket stranger) {
        try {
            if (random.nextBoolean()) {
                stranger.setSoLinger(true, 0);
            } else {
                stranger.setSoTimeout(PATIENCE_MS);
                stranger.shutdownOutput();
                stranger.getInputStream().transferTo(OutputStream.nullOutputStream());
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError("A connection that has ended is kept.", e);
        } catch (IOException e) {
            return; // The other end has closed the connection.
        }
    }

    private byte[] mutated(byte[] message) {
        int at = random.nextInt(message.length);
        switch (random.nextInt(4)) {
            case 0 -> message[at] = (byte) random.nextInt();
            case 1 -> message[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
            case 2 -> {
                if (message.length >= Integer.BYTES) {
                    int length = LENGTHS[random.nextInt(LENGTHS.length)];
                    ByteBuffer.wrap(message).putInt(Math.min(at, message.length - Integer.BYTES), length);
                }
            }
            default -> {
                return Arrays.copyOf(message, at + 1);
            }
        }
        return message;
    }

    /** What is in use in this process after a collection of garbage, on the heap and outside, in bytes. */
    public static long usedBytes() {
        System.gc();
        long direct = Math.max(0, PlatformDependent.usedDirectMemory());
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            direct += pool.getMemoryUsed();
        }
        return direct + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
