package io.eyewall.web.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.core.nimbus.ProfileLimits;
import io.eyewall.core.watch.WorkerAddress;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.storm.generated.ExecutorInfo;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.ProfileAction;
import org.apache.storm.generated.ProfileRequest;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.thrift.TApplicationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileCommandTest {

    private static final String ID = "orders-1-1";
    private static final long START_MS = 1_000_000;

    @TempDir
    private Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final List<ExecutorSummary> executors = new ArrayList<>();
    private final List<ProfileRequest> requests = new ArrayList<>();
    // What a worker has, by its name and the second from which on.
    private final Map<String, Map<Integer, Path>> files = new TreeMap<>();
    private int second;
    /** A host whose workers are being recorded. */
    private String refused = "";

    @BeforeEach
    void runWorkers() {
        executors.add(executor("words", "host-1", 6700));
        executors.add(executor("split", "host-1", 6700));
        executors.add(executor("count", "host-2", 6701));
    }

    @Test
    void shouldDrawTheThreadsOfAComponent() throws Exception {
        Path recording = directory.resolve("recording-9-1.jfr");
        SampledWork.record(recording, "split");
        add("host-1:6700", 0, directory.resolve("recording-9-0.jfr"));
        add("host-1:6700", 13, recording);
        Path page = directory.resolve("page.html");

        assertEquals(0, run("orders", "split", "--seconds", "3", "-o", page.toString()), err::toString);

        assertEquals(1, requests.size());
        assertEquals(ProfileAction.JPROFILE_STOP, requests.get(0).get_action());
        assertEquals(START_MS + 13_000, requests.get(0).get_time_stamp());
        assertEquals(13, second);
        String html = Files.readString(page);
        assertTrue(html.contains("orders, split") && html.contains("spinUntil") && html.contains("Thread-7-split-executor"), html);
        List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
        assertEquals("Recording host-1:6700 for at least 3 s. The Supervisors begin within 10 s.", lines.get(0));
        assertTrue(lines.get(1).contains("%  io.eyewall.web.profile.SampledWork.spinUntil"), lines::toString);
        assertEquals("Wrote " + page + ". CPU time, by Java's Flight Recorder.", lines.get(lines.size() - 1));
        assertTrue(html.contains("orders, split. CPU time, by Java's Flight Recorder"), html);
    }

    @Test
    void shouldDrawWhatIsAskedFor() throws Exception {
        Path recording = directory.resolve("recording-9-1.jfr");
        SampledWork.record(recording, "split");
        add("host-1:6700", 13, recording);
        Path page = directory.resolve("page.html");
        assertEquals(0, run("orders", "split", "--event", "alloc", "--seconds", "3", "-o", page.toString()), err::toString);
        assertTrue(out.toString(StandardCharsets.UTF_8).contains("%  byte[]"), out::toString);
        assertEquals(0, run("orders", "split", "--event", "lock", "--seconds", "3", "-o", page.toString()), err::toString);
        assertTrue(out.toString(StandardCharsets.UTF_8).contains("100.0 %  java.lang.Object"), out::toString);
        assertEquals(1, run("orders", "split", "--event", "wall", "--seconds", "3", "-o", page.toString()));
        assertFails("there are no wall-clock samples in a thread of split. Only async-profiler takes them, which this recording is not"
            + " by.");
    }

    @Test
    void shouldDrawSeveralWorkersAndSayWhenNothingRan() throws Exception {
        Path recording = directory.resolve("recording-9-1.jfr");
        SampledWork.record(recording, "split");
        add("host-1:6700", 13, recording);
        add("host-2:6701", 20, recording);
        Path page = directory.resolve("page.html");
        assertEquals(0, run("orders", "--seconds", "1", "-o", page.toString()), err::toString);
        assertTrue(Files.readString(page).contains("2:6701"), "Names are kept without what they share with the one before.");

        assertEquals(1, run("orders", "words", "--seconds", "1", "-o", page.toString()));
        assertFails("nothing ran in a thread of words while it was recorded");
    }

    @Test
    void shouldKeepTheRecordingOfOneWorker() throws Exception {
        Path recording = Files.writeString(directory.resolve("recording-9-1.jfr"), "FLR");
        add("host-1:6700", 73, recording);
        Path copy = directory.resolve("copy.jfr");
        assertEquals(0, run("orders", "host-1:6700", "-o", copy.toString()), err::toString);
        assertEquals("FLR", Files.readString(copy));
        assertEquals(2, requests.size());
        assertEquals(requests.get(0), requests.get(1), "The same request ends the recording.");

        assertEquals(1, run("orders", "-o", copy.toString()));
        assertFails("each of host-1:6700, host-2:6701 makes a recording of its own. Name one of them, or an .html file.");
    }

    @Test
    void shouldNameWhatThereIsWhenThereIsNoSuchComponentOrWorker() throws Exception {
        for (String target : List.of("nothing", "host-1:6701", "host-1")) {
            assertEquals(1, run("orders", target));
            assertFails("orders has no component and no worker " + target + ". Its components are count, split, words; its workers are"
                + " host-1:6700, host-2:6701.");
        }
        assertEquals(List.of(), requests);
        for (int i = 0; i < 20; i++) {
            executors.add(executor("count", "host-3", 6700 + i));
        }
        assertEquals(1, run("orders"));
        assertFails("22 workers would be recorded, and 5 can be at a time. Name one as HOST:PORT, such as host-1:6700.");
        executors.clear();
        assertEquals(1, run("orders"));
        assertFails("orders has no workers yet. Try again when they run.");
    }

    @Test
    void shouldRecordAllOrNone() throws Exception {
        refused = "host-2";
        assertEquals(1, run("orders"));
        assertFails("The worker host-2:6701 of orders-1-1 is being recorded.");
        assertEquals(List.of("host-1 at " + (START_MS + 40_000), "host-1 at 0"),
            requests.stream().map(request -> request.get_nodeInfo().get_node() + " at " + request.get_time_stamp()).toList());
    }

    @Test
    void shouldSayWhyThereIsNoRecording() throws Exception {
        add("host-1:6700", 2, Files.writeString(directory.resolve("profile-failed-1.txt"), "start of process 9 failed: no such file\n"));
        assertEquals(1, run("orders", "words"));
        assertFails("host-1:6700: start of process 9 failed: no such file");
        assertEquals(2, second);

        assertEquals(1, run("orders", "count"));
        assertFails("no recording of host-2:6701 came in 120 s. supervisor.log of that host says why; its worker.profiler.command must be"
            + " flight.bash, and its clock right.");
    }

    @Test
    void shouldSayWhatIsWrongWithTheCommandLine() throws Exception {
        for (List<String> wrong : List.of(List.<String>of(), List.of("a", "b", "c"), List.of("a", "--seconds", "0"),
            List.of("a", "--seconds", "3601"), List.of("a", "--seconds", "soon"), List.of("a", "-o", "picture.png"),
            List.of("a", "--event", "cache-misses"), List.of("a", "--no"))) {
            err.reset();
            assertEquals(2, run(wrong.toArray(String[]::new)), wrong::toString);
            String said = err.toString(StandardCharsets.UTF_8);
            assertTrue(said.contains("\nusage: storm profile TOPOLOGY [COMPONENT|HOST:PORT]"), said);
        }
    }

    private void assertFails(String message) {
        List<String> lines = err.toString(StandardCharsets.UTF_8).lines().toList();
        assertFalse(lines.isEmpty());
        assertTrue(lines.get(lines.size() - 1).startsWith("storm profile: " + message), lines::toString);
        err.reset();
    }

    private void add(String worker, int fromSecond, Path file) {
        files.computeIfAbsent(worker, key -> new TreeMap<>()).put(fromSecond, file);
    }

    private static ExecutorSummary executor(String component, String host, int port) {
        return new ExecutorSummary(new ExecutorInfo(1, 1), component, host, port, 1);
    }

    private int run(String... args) throws Exception {
        second = 0;
        Nimbus.Iface nimbus = (Nimbus.Iface) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Nimbus.Iface.class},
            (proxy, method, arguments) -> switch (method.getName()) {
                case "getTopologyInfoByNameWithOpts" -> new TopologyInfo(ID, "orders", 1, executors, "ACTIVE", Map.of());
                case "setWorkerProfiler" -> {
                    if (((ProfileRequest) arguments[1]).get_nodeInfo().get_node().equals(refused)) {
                        throw new TApplicationException(ProfileLimits.CONFLICT, "The worker host-2:6701 of orders-1-1 is being recorded.");
                    }
                    requests.add((ProfileRequest) arguments[1]);
                    yield null;
                }
                default -> throw new UnsupportedOperationException(method.getName());
            });
        InstantSource clock = () -> Instant.ofEpochMilli(START_MS + 1_000L * second);
        return new ProfileCommand(new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8),
            new Written(), clock, () -> second++).run(nimbus, args);
    }

    /** The files that are there in the current second. */
    private final class Written implements ProfileCommand.Source {

        @Override
        public Set<String> names(String topologyId, WorkerAddress worker) {
            assertEquals(ID, topologyId);
            Set<String> names = new HashSet<>(Set.of("worker.log"));
            files.getOrDefault(worker.toString(), Map.of()).forEach((from, file) -> {
                if (from <= second) {
                    names.add(file.getFileName().toString());
                }
            });
            return names;
        }

        @Override
        public void fetch(String topologyId, WorkerAddress worker, String name, Path to) throws IOException {
            Files.copy(directory.resolve(name), to, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
