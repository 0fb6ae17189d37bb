package io.eyewall.web.profile;

import io.eyewall.core.nimbus.ProfileLimits;
import io.eyewall.core.report.CommandArguments;
import io.eyewall.core.watch.WorkerAddress;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.GetInfoOptions;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.generated.NumErrorsChoice;
import org.apache.storm.generated.ProfileAction;
import org.apache.storm.generated.ProfileRequest;
import org.apache.storm.generated.TopologyInfo;
import org.apache.storm.thrift.TApplicationException;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;

/**
 * {@code storm profile TOPOLOGY [COMPONENT|HOST:PORT]}: has workers recorded for a while, fetches the recordings and draws a flame graph.
 * For one thread.
 */
public final class ProfileCommand {

    private static final String NAME = "storm profile: ";
    private static final String SECONDS = "--seconds";
    private static final String EVENT = "--event";
    private static final String OUTPUT = "-o";
    private static final int DEFAULT_SECONDS = 30;
    private static final int MAX_SECONDS = 3_600;
    private static final int MAX_LISTED = 16;
    private static final int MAX_FRAMES = 10;
    /** Supervisors look for requests so often. */
    private static final int PICK_UP_SECONDS = 10;
    /** After this time without a recording a Supervisor of upstream's is taken to have forgotten to end it. */
    private static final int FORGOTTEN_SECONDS = 30;
    /** How long a Supervisor on a busy host may take to write what was recorded. */
    private static final int PATIENCE_SECONDS = 120;
    private static final String RECORDING = "recording-";
    private static final String FAILURE = "profile-failed-";

    private final PrintStream out;
    private final PrintStream err;
    private final Source files;
    private final InstantSource clock;
    private final Pause pause;

    ProfileCommand(PrintStream out, PrintStream err, Source files, InstantSource clock, Pause pause) {
        this.out = out;
        this.err = err;
        this.files = files;
        this.clock = clock;
        this.pause = pause;
    }

    /** What workers have written. */
    interface Source {

        /** The names of a worker's files. */
        Set<String> names(String topologyId, WorkerAddress worker) throws IOException;

        /** Copies one of them. */
        void fetch(String topologyId, WorkerAddress worker, String name, Path to) throws IOException;
    }

    /** Waits for a second. */
    @FunctionalInterface
    interface Pause {

        void second() throws InterruptedException;
    }

    /** What the command line asks for, and cannot have. */
    private static final class RefusedException extends Exception {

        private static final long serialVersionUID = 1;

        RefusedException(String message) {
            super(message);
        }
    }

    /**
     * What was asked for.
     *
     * @param target a component or worker; empty for all workers
     */
    private record Wanted(String topology, Optional<String> target, int seconds, Sampled sampled, Path output) {

        static Wanted of(String... args) {
            CommandArguments arguments = new CommandArguments(args, Map.of(SECONDS, 1, EVENT, 1, OUTPUT, 1));
            List<String> words = arguments.words();
            if (words.isEmpty() || words.size() > 2) {
                throw new IllegalArgumentException("one TOPOLOGY is needed, and at most one COMPONENT or HOST:PORT");
            }
            long seconds = arguments.number(SECONDS, 1, DEFAULT_SECONDS);
            if (seconds > MAX_SECONDS) {
                throw new IllegalArgumentException(SECONDS + " " + seconds + ": expected at most " + MAX_SECONDS);
            }
            String output = arguments.value(OUTPUT).orElse("profile-" + words.get(0) + ".html");
            if (!output.endsWith(".html") && !output.endsWith(".jfr")) {
                throw new IllegalArgumentException(OUTPUT + " " + output + ": expected a name that ends with .html or .jfr");
            }
            String event = arguments.value(EVENT).orElse(Sampled.CPU.key());
            Sampled sampled = Sampled.of(event).orElseThrow(
                () -> new IllegalArgumentException(EVENT + " " + event + ": expected one of " + Sampled.keys()));
            return new Wanted(words.get(0), words.stream().skip(1).findFirst(), (int) seconds, sampled, Path.of(output));
        }

        boolean raw() {
            return output.toString().endsWith(".jfr");
        }
    }

    /**
     * Ends the JVM with 0, with 1 if there is no recording, or with 2 if the command line is wrong.
     *
     * @throws Exception if Nimbus cannot be reached, or does not know the topology
     */
    public static void main(String[] args) throws Exception {
        Map<String, Object> conf = Utils.readStormConfig();
        ProfileCommand command = new ProfileCommand(System.out, System.err, new WorkerFiles(conf), InstantSource.system(),
            () -> TimeUnit.SECONDS.sleep(1));
        try (NimbusClient client = NimbusClient.Builder.withConf(conf).build()) {
            System.exit(command.run(client.getClient(), args));
        }
    }

    int run(Nimbus.Iface nimbus, String... args) throws TException, InterruptedException {
        Wanted wanted;
        try {
            wanted = Wanted.of(args);
        } catch (IllegalArgumentException e) {
            err.println(NAME + e.getMessage());
            err.println("usage: storm profile TOPOLOGY [COMPONENT|HOST:PORT] [" + SECONDS + " NUMBER] [" + EVENT
                + " EVENT] [" + OUTPUT + " FILE]");
            return 2;
        }
        GetInfoOptions options = new GetInfoOptions();
        options.set_num_err_choice(NumErrorsChoice.NONE);
        TopologyInfo topology = nimbus.getTopologyInfoByNameWithOpts(wanted.topology(), options);
        try {
            SortedMap<WorkerAddress, SortedSet<String>> components = components(topology);
            Set<WorkerAddress> workers = workers(components, wanted);
            Map<WorkerAddress, String> recorded = record(nimbus, topology.get_id(), workers, wanted.seconds());
            write(topology.get_id(), recorded, wanted, wanted.target().filter(target -> !isWorker(components, target)));
            return 0;
        } catch (RefusedException | IOException e) {
            err.println(NAME + e.getMessage());
            return 1;
        }
    }

    private static boolean isWorker(Map<WorkerAddress, SortedSet<String>> components, String target) {
        return components.keySet().stream().anyMatch(worker -> worker.toString().equals(target));
    }

    /** The workers of a topology, with the components that each runs. */
    private static SortedMap<WorkerAddress, SortedSet<String>> components(TopologyInfo topology) {
        SortedMap<WorkerAddress, SortedSet<String>> components = new TreeMap<>();
        for (ExecutorSummary executor : topology.get_executors()) {
            components.computeIfAbsent(new WorkerAddress(executor.get_host(), executor.get_port()), worker -> new TreeSet<>())
                .add(executor.get_component_id());
        }
        return components;
    }

    private static Set<WorkerAddress> workers(SortedMap<WorkerAddress, SortedSet<String>> components, Wanted wanted)
            throws RefusedException {
        if (components.isEmpty()) {
            throw new RefusedException(wanted.topology() + " has no workers yet. Try again when they run.");
        }
        String target = wanted.target().orElse("");
        Set<WorkerAddress> workers = components.entrySet().stream()
            .filter(entry -> target.isEmpty() || entry.getKey().toString().equals(target) || entry.getValue().contains(target))
            .map(Map.Entry::getKey).collect(Collectors.toCollection(TreeSet::new));
        if (workers.isEmpty()) {
            throw new RefusedException(wanted.topology() + " has no component and no worker " + target + ". Its components are "
                + components.values().stream().flatMap(Set::stream).distinct().sorted().collect(Collectors.joining(", "))
                + "; its workers are " + listed(components.keySet()) + ".");
        }
        if (workers.size() > ProfileLimits.MAX_RECORDINGS) {
            throw new RefusedException(workers.size() + " workers would be recorded, and " + ProfileLimits.MAX_RECORDINGS
                + " can be at a time. Name one as HOST:PORT, such as " + workers.iterator().next() + ".");
        }
        if (wanted.raw() && workers.size() > 1) {
            throw new RefusedException("each of " + listed(workers) + " makes a recording of its own. Name one of them, or an .html file.");
        }
        return workers;
    }

    private static String listed(Set<WorkerAddress> workers) {
        String names = workers.stream().limit(MAX_LISTED).map(WorkerAddress::toString).collect(Collectors.joining(", "));
        return workers.size() > MAX_LISTED ? names + " and " + (workers.size() - MAX_LISTED) + " more" : names;
    }

    /** Has the workers recorded; returns the name of each one's recording. */
    private Map<WorkerAddress, String> record(Nimbus.Iface nimbus, String topologyId, Set<WorkerAddress> workers, int seconds)
            throws TException, IOException, InterruptedException, RefusedException {
        Map<WorkerAddress, Set<String>> before = new LinkedHashMap<>();
        for (WorkerAddress worker : workers) {
            before.put(worker, files.names(topologyId, worker));
        }
        long endMs = clock.millis() + TimeUnit.SECONDS.toMillis(seconds + (long) PICK_UP_SECONDS);
        begin(nimbus, topologyId, workers, endMs);
        out.println("Recording " + listed(workers) + " for at least " + seconds + " s. The Supervisors begin within " + PICK_UP_SECONDS
            + " s.");
        Map<WorkerAddress, String> recorded = new TreeMap<>();
        long askMs = endMs + TimeUnit.SECONDS.toMillis(FORGOTTEN_SECONDS);
        while (recorded.size() < workers.size()) {
            pause.second();
            for (WorkerAddress worker : workers) {
                if (!recorded.containsKey(worker)) {
                    written(topologyId, worker, before.get(worker), clock.millis() >= endMs).ifPresent(name -> recorded.put(worker, name));
                }
            }
            if (clock.millis() >= askMs) {
                // Upstream's forgets a request when it has begun with it. It ends a recording when it gets the same request again.
                askMs += TimeUnit.SECONDS.toMillis(FORGOTTEN_SECONDS);
                for (WorkerAddress worker : workers) {
                    if (!recorded.containsKey(worker)) {
                        request(nimbus, topologyId, worker, endMs);
                    }
                }
            }
            if (recorded.size() < workers.size() && clock.millis() > endMs + TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS)) {
                workers.removeAll(recorded.keySet());
                throw new RefusedException("no recording of " + listed(workers) + " came in " + PATIENCE_SECONDS + " s. supervisor.log of"
                    + " that host says why; its worker.profiler.command must be flight.bash, and its clock right.");
            }
        }
        return recorded;
    }

    /** Has all of the workers recorded, or none. */
    private static void begin(Nimbus.Iface nimbus, String topologyId, Set<WorkerAddress> workers, long endMs)
            throws TException, RefusedException {
        List<WorkerAddress> begun = new ArrayList<>();
        try {
            for (WorkerAddress worker : workers) {
                request(nimbus, topologyId, worker, endMs);
                begun.add(worker);
            }
        } catch (TApplicationException e) {
            for (WorkerAddress worker : begun) {
                request(nimbus, topologyId, worker, 0);
            }
            if (ProfileLimits.isRefusal(e)) {
                throw new RefusedException(e.getMessage());
            }
            throw e;
        }
    }

    private static void request(Nimbus.Iface nimbus, String topologyId, WorkerAddress worker, long endMs) throws TException {
        ProfileRequest request = new ProfileRequest(new NodeInfo(worker.host(), Set.of((long) worker.port())), ProfileAction.JPROFILE_STOP);
        request.set_time_stamp(endMs);
        nimbus.setWorkerProfiler(topologyId, request);
    }

    /** The name of a worker's new recording, if it is time for one; throws its report if it has failed. */
    private Optional<String> written(String topologyId, WorkerAddress worker, Set<String> before, boolean ended)
            throws IOException, RefusedException {
        SortedSet<String> names = new TreeSet<>(files.names(topologyId, worker));
        names.removeAll(before);
        for (String name : names) {
            if (name.startsWith(FAILURE)) {
                Path report = Files.createTempFile(FAILURE, ".txt");
                try {
                    files.fetch(topologyId, worker, name, report);
                    throw new RefusedException(worker + ": " + Files.readString(report).strip());
                } finally {
                    Files.delete(report);
                }
            }
        }
        return names.stream().filter(name -> ended && name.startsWith(RECORDING) && name.endsWith(".jfr")).findFirst();
    }

    private void write(String topologyId, Map<WorkerAddress, String> recorded, Wanted wanted, Optional<String> component)
            throws IOException, RefusedException {
        FlameGraph graph = new FlameGraph(wanted.sampled());
        for (Map.Entry<WorkerAddress, String> entry : recorded.entrySet()) {
            Path recording = Files.createTempFile(RECORDING, ".jfr");
            try {
                files.fetch(topologyId, entry.getKey(), entry.getValue(), recording);
                if (wanted.raw()) {
                    Files.move(recording, wanted.output(), StandardCopyOption.REPLACE_EXISTING);
                    out.println("Wrote " + wanted.output() + ".");
                    return;
                }
                graph.add(recording, component, Optional.of(entry.getKey().toString()).filter(name -> recorded.size() > 1));
            } finally {
                Files.deleteIfExists(recording);
            }
        }
        if (graph.isEmpty()) {
            throw new RefusedException(wanted.sampled().nothing(component));
        }
        try (OutputStream page = Files.newOutputStream(wanted.output())) {
            graph.write(wanted.topology() + wanted.target().map(target -> ", " + target).orElse(""), page);
        }
        graph.hottest(MAX_FRAMES)
            .forEach(frame -> out.println(String.format(Locale.ROOT, "%6.1f %%  %s", 100 * frame.share(), frame.name())));
        out.println("Wrote " + wanted.output() + ". " + graph.title() + ".");
    }
}
