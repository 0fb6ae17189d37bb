package io.eyewall.integration.system;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.fuzz.Fuzz;
import io.eyewall.integration.cluster.Daemon;
import io.eyewall.integration.cluster.Ports;
import io.eyewall.integration.cluster.ProcessCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.net.SocketFactory;

/**
 * Strangers who send anything to a port of a process, several at a time. Afterwards it must be the same process, have closed their
 * connections, and have used up neither memory nor its log.
 */
final class Strangers {

    private static final int SEED = 17;
    /** How many send at a time: wrong bytes make a call of what DRPC would refuse, which takes a second until it times out. */
    private static final int STRANGERS = 16;
    private static final long MAX_BYTES_KEPT = 16L << 20;
    /** Those of a daemon that goes about its work, and ten of each kind at once. */
    private static final int MAX_LINES = 60;
    /** What is logged of each kind from then on: one line in ten seconds. */
    private static final int SECS_A_LINE = 10;
    private static final int KINDS = 4;
    /** A worker counts about so many kinds of failures, and logs one when its count has doubled. */
    private static final int DOUBLED = 4;
    private static final int MAX_DESCRIPTORS_KEPT = 50;
    /** On the heap, and what Java itself has allocated outside, which is mostly direct buffers. */
    private static final Pattern USED_KB =
        Pattern.compile("(?:(?:generation|heap|Gen)\\s+total \\d+K, used |Other \\(reserved=\\d+KB, committed=)(\\d+)K");
    private static final Pattern LOGGED = Pattern.compile("^\\d{4}-\\d\\d-\\d\\d .*");
    /** What is logged of requests that are some: wrong bytes make a few of what is cut off. */
    private static final Pattern REQUESTED =
        Pattern.compile("Topology submission exception|Got an assignments from master|Topology config is not localized yet");
    /** What a daemon logs while it starts, and of its sessions with ZooKeeper: on a busy machine that comes during the test. */
    private static final Pattern OWN = Pattern.compile("^\\S+ \\S+ (\\S+ main|o\\.a\\.s\\.s\\.o\\.a\\.[cz]\\.\\S+ \\S+) \\[");

    private final ProcessCluster cluster;
    private final Target target;
    private final Instant start = Instant.now();
    private final long linesBefore;
    private int inputs;
    /** After the first quarter of the inputs, when what is made once is there. */
    private long bytesBefore;
    private long descriptorsBefore;

    /** What they send to: a port of a process, with its log. */
    record Target(String name, long pid, Path log, int port) {

        static Target of(Daemon daemon, int port) {
            return new Target(daemon.name(), daemon.pid(), daemon.logDirectory().resolve(daemon.name() + ".log"), port);
        }
    }

    /** Waits until the process listens. */
    Strangers(ProcessCluster cluster, Target target) throws IOException {
        this.cluster = cluster;
        this.target = target;
        // Nimbus knows a Supervisor before its port is open.
        cluster.await(target.name() + " listens on port " + target.port(), () -> Ports.listens(target.port()));
        linesBefore = lines();
    }

    /** Sends inputs over connections of a kind: wrong bytes, and these messages with wrong bytes in them. */
    void send(SocketFactory sockets, int all, List<byte[]> messages) throws InterruptedException, ExecutionException {
        List<Fuzz> fuzzes = IntStream.range(0, STRANGERS).mapToObj(number -> new Fuzz(SEED + number, messages)).toList();
        sendAtOnce(fuzzes, sockets, all / 4);
        if (inputs == 0) {
            bytesBefore = usedBytes();
            descriptorsBefore = descriptors();
        }
        sendAtOnce(fuzzes, sockets, all - all / 4);
        inputs += all;
    }

    private void sendAtOnce(List<Fuzz> fuzzes, SocketFactory sockets, int all) throws InterruptedException, ExecutionException {
        ExecutorService strangers = Executors.newFixedThreadPool(fuzzes.size());
        try {
            List<Callable<Void>> sending = new ArrayList<>();
            for (Fuzz fuzz : fuzzes) {
                sending.add(() -> {
                    fuzz.send(sockets, target.port(), all / fuzzes.size());
                    return null;
                });
            }
            for (Future<Void> done : strangers.invokeAll(sending)) {
                done.get();
            }
        } finally {
            strangers.shutdown();
        }
    }

    /** Fails if the process has ended, or keeps or logs too much. */
    void assertHarmless() throws IOException {
        assertTrue(ProcessHandle.of(target.pid()).isPresent(), () -> target.name() + " has ended");
        cluster.await("memory of " + target.name() + " is free again", () -> usedBytes() - bytesBefore < MAX_BYTES_KEPT);
        cluster.await("connections of " + target.name() + " are closed", () -> descriptors() - descriptorsBefore < MAX_DESCRIPTORS_KEPT);
        long logged = lines() - linesBefore;
        long secs = Duration.between(start, Instant.now()).toSeconds();
        System.out.println(target.name() + " logged " + logged + " lines for " + inputs + " inputs in " + secs + " s.");
        int doublings = Integer.SIZE - Integer.numberOfLeadingZeros(inputs);
        assertTrue(logged <= MAX_LINES + KINDS * secs / SECS_A_LINE + (long) DOUBLED * doublings,
            () -> target.name() + " logged " + logged + " lines");
    }

    private long descriptors() {
        String[] open = Path.of("/proc", Long.toString(target.pid()), "fd").toFile().list();
        assertTrue(open != null, () -> target.name() + " has ended");
        return open.length;
    }

    /** What the process has in use after a collection of garbage. It is asked again if it does not let jcmd attach within seconds. */
    private long usedBytes() {
        AtomicLong usedKb = new AtomicLong();
        cluster.awaitCommand("jcmd has reported the memory of " + target.name(), () -> {
            jcmd("GC.run");
            usedKb.set(USED_KB.matcher(jcmd("GC.heap_info") + jcmd("VM.native_memory")).results()
                .mapToLong(used -> Long.parseLong(used.group(1))).sum());
            return usedKb.get() > 0;
        });
        return usedKb.get() << 10;
    }

    private String jcmd(String command) {
        String program = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        try {
            Process process = new ProcessBuilder(program, Long.toString(target.pid()), command).redirectErrorStream(true).start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("jcmd cannot be run", e);
        }
    }

    /** How often the process has logged something else than requests and its own start, stack traces aside. */
    private long lines() throws IOException {
        return Files.readString(target.log(), StandardCharsets.ISO_8859_1).lines()
            .filter(line -> LOGGED.matcher(line).matches() && !REQUESTED.matcher(line).find() && !OWN.matcher(line).find()).count();
    }
}
