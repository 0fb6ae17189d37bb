package io.eyewall.integration.bench.transport;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IContext;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.TransportFactory;
import org.apache.storm.utils.Utils;

/**
 * One of two processes that exchange messages as workers do. Needs only a worker's class path. The task number of a message says what the
 * message is for.
 */
public final class TransportProbe {

    static final String PORT = "port ";
    private static final String HOST = "127.0.0.1";
    private static final String TOPOLOGY = "transport-bench";
    private static final int HELLO = 1;
    private static final int PING = 2;
    private static final int START = 3;
    private static final int STREAM = 4;
    private static final int TAKEN = 5;
    private static final long COMPILE_MS = 2_000;
    private static final long CONNECT_MS = 60_000;
    private static final long REPORT_MS = 60_000;
    /** How many bytes may be under way: Netty would accept any number. */
    private static final int WINDOW_BYTES = 8 << 20;
    private static final int MAX_WINDOW = 32_768;
    /** How many messages are handed over together, as by a busy transfer thread; fewer if they are large. */
    private static final int BATCH = 64;
    private static final int BATCH_BYTES = 65_536;
    private static final int MAX_PINGS = 1 << 22;

    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final IContext context;
    private final IConnection server;
    private final BlockingQueue<Integer> hellos = new LinkedBlockingQueue<>();
    private final BlockingQueue<ByteBuffer> reports = new LinkedBlockingQueue<>();
    private final long[] latenciesNs;
    private volatile ConnectionWithStatus peer;
    // Used by the receiving thread alone.
    private int received;
    private int reportEvery;
    // Passed back and forth between the thread that starts a ping-pong and the receiving thread.
    private volatile long untilNs;
    private volatile long sentNs;
    private volatile int pings;

    private TransportProbe(Map<String, Object> settings, boolean measures) {
        Map<String, Object> conf = Utils.readDefaultConfig();
        conf.putAll(settings);
        latenciesNs = new long[measures ? MAX_PINGS : 0];
        context = TransportFactory.makeContext(conf, null);
        server = context.bind(TOPOLOGY, 0, messages -> messages.forEach(this::onMessage), null);
    }

    /**
     * {@code serve KEY=VALUE...} prints its port and returns messages until it is killed; {@code ping-pong|stream PORT MILLISECONDS SIZES
     * KEY=VALUE...} measures each size for so long, after a warm-up of half that time, and prints a line of figures for it. Before
     * the first size both JVMs get some time to compile.
     */
    public static void main(String[] arguments) throws InterruptedException {
        if (arguments[0].equals("serve")) {
            TransportProbe probe = new TransportProbe(settings(arguments, 1), false);
            System.out.println(PORT + probe.server.getPort());
            probe.connect(probe.hellos.take());
            Thread.currentThread().join();
        }
        TransportProbe probe = new TransportProbe(settings(arguments, 4), true);
        probe.connect(Integer.parseInt(arguments[1]));
        probe.hellos.take();
        long measureMs = Long.parseLong(arguments[2]);
        probe.pingPongOnce(Integer.BYTES, COMPILE_MS);
        for (String size : arguments[3].split(",", -1)) {
            int sizeBytes = Integer.parseInt(size);
            System.out.println(arguments[0].equals("stream") ? probe.stream(sizeBytes, measureMs) : probe.pingPong(sizeBytes, measureMs));
        }
        probe.peer.close();
        probe.context.term();
        System.exit(0);
    }

    private static Map<String, Object> settings(String[] arguments, int from) {
        Map<String, Object> settings = new HashMap<>();
        for (String argument : Arrays.asList(arguments).subList(from, arguments.length)) {
            String value = argument.substring(argument.indexOf('=') + 1);
            settings.put(argument.substring(0, argument.indexOf('=')), value.matches("\\d+") ? (Object) Long.valueOf(value) : value);
        }
        return settings;
    }

    private void connect(int port) throws InterruptedException {
        peer = (ConnectionWithStatus) context.connect(TOPOLOGY, HOST, port, new AtomicBoolean[0]);
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CONNECT_MS);
        while (peer.status() != ConnectionWithStatus.Status.Ready) {
            if (System.nanoTime() > deadlineNs) {
                throw new IllegalStateException("No connection to port " + port + " within " + CONNECT_MS + " ms");
            }
            Thread.sleep(10);
        }
        send(HELLO, ByteBuffer.allocate(Integer.BYTES).putInt(server.getPort()).array());
    }

    private void onMessage(TaskMessage message) {
        switch (message.task()) {
            case HELLO -> hellos.add(ByteBuffer.wrap(message.message()).getInt());
            case PING -> onPing(message.message());
            case START -> {
                reportEvery = ByteBuffer.wrap(message.message()).getInt();
                received = 0;
            }
            case STREAM -> {
                received++;
                if (received % reportEvery == 0) {
                    send(TAKEN, ByteBuffer.allocate(Integer.BYTES + Long.BYTES).putInt(received).putLong(cpuNs()).array());
                }
            }
            case TAKEN -> reports.add(ByteBuffer.wrap(message.message()));
            default -> throw new IllegalStateException("A message of unknown kind " + message.task());
        }
    }

    private void onPing(byte[] message) {
        if (latenciesNs.length == 0) {
            send(PING, message);
            return;
        }
        long nowNs = System.nanoTime();
        int count = pings;
        latenciesNs[count] = nowNs - sentNs;
        pings = count + 1;
        if (nowNs < untilNs && count + 1 < MAX_PINGS) {
            sentNs = System.nanoTime();
            send(PING, message);
        } else {
            reports.add(ByteBuffer.allocate(0));
        }
    }

    /** Half the time of a round trip, as {@code fi_pingpong} reports it. */
    private String pingPong(int sizeBytes, long measureMs) throws InterruptedException {
        pingPongOnce(sizeBytes, measureMs / 2);
        pingPongOnce(sizeBytes, measureMs);
        long[] sorted = Arrays.copyOf(latenciesNs, pings);
        Arrays.sort(sorted);
        return String.format(Locale.ROOT, "%d %.3f %.3f", sizeBytes, sorted[sorted.length / 2] / 2e3,
            sorted[(int) (sorted.length * 0.99)] / 2e3);
    }

    private void pingPongOnce(int sizeBytes, long durationMs) throws InterruptedException {
        pings = 0;
        untilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(durationMs);
        sentNs = System.nanoTime();
        send(PING, new byte[sizeBytes]);
        awaitReport();
    }

    /** Messages per second, and microseconds of CPU of both processes per message. */
    private String stream(int sizeBytes, long measureMs) throws InterruptedException {
        int window = Math.max(4, Math.min(MAX_WINDOW, WINDOW_BYTES / sizeBytes)) / 4 * 4;
        int every = window / 4;
        send(START, ByteBuffer.allocate(Integer.BYTES).putInt(every).array());
        int size = Math.max(1, Math.min(Math.min(BATCH, every), BATCH_BYTES / sizeBytes));
        List<TaskMessage> batch = Collections.nCopies(size, new TaskMessage(STREAM, new byte[sizeBytes]));
        long startNs = System.nanoTime();
        long warmNs = startNs + TimeUnit.MILLISECONDS.toNanos(measureMs / 2);
        int sent = 0;
        int taken = 0;
        int takenAtStart = 0;
        long cpuAtStartNs = 0;
        while (true) {
            while (sent - taken + size <= window) {
                peer.send(batch.iterator());
                sent += size;
            }
            ByteBuffer report = awaitReport();
            taken = report.getInt();
            long nowNs = System.nanoTime();
            long cpuNs = report.getLong() + cpuNs();
            if (takenAtStart == 0 && nowNs >= warmNs) {
                takenAtStart = taken;
                cpuAtStartNs = cpuNs;
                startNs = nowNs;
            } else if (takenAtStart > 0 && nowNs - startNs >= TimeUnit.MILLISECONDS.toNanos(measureMs)) {
                int messages = taken - takenAtStart;
                drain(sent, taken, every);
                return String.format(Locale.ROOT, "%d %.1f %.4f", sizeBytes, messages / ((nowNs - startNs) / 1e9),
                    (cpuNs - cpuAtStartNs) / 1e3 / messages);
            }
        }
    }

    private void drain(int sent, int taken, int every) throws InterruptedException {
        for (int left = sent / every - taken / every; left > 0; left--) {
            awaitReport();
        }
    }

    private ByteBuffer awaitReport() throws InterruptedException {
        ByteBuffer report = reports.poll(REPORT_MS, TimeUnit.MILLISECONDS);
        if (report == null) {
            throw new IllegalStateException("No report of the other process within " + REPORT_MS + " ms");
        }
        return report;
    }

    private void send(int kind, byte[] message) {
        peer.send(List.of(new TaskMessage(kind, message)).iterator());
    }

    private long cpuNs() {
        return system.getProcessCpuTime();
    }
}
