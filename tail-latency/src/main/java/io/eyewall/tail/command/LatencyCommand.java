package io.eyewall.tail.command;

import io.eyewall.core.report.CommandArguments;
import io.eyewall.tail.recording.HopKey;
import io.eyewall.tail.recording.LatencyRecordingConfiguration;
import io.eyewall.tail.recording.Sampling;
import java.io.PrintStream;
import java.time.Duration;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;

/**
 * {@code storm latency TOPOLOGY [--component C] [--interval S] [--watch]}: a table of every hop of a running topology, from the values of
 * all its workers since they started, or within an interval.
 */
public final class LatencyCommand {

    private static final String USAGE = "usage: storm latency TOPOLOGY [--component C] [--interval SECONDS] [--watch]";
    private static final String SINCE_THEY_STARTED = "since they started";
    private static final long WATCH_INTERVAL_SECS = 5;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

    private final TopologyFinder finder;
    private final WorkerEndpoints endpoints = new WorkerEndpoints();
    private final Pause pause;
    private final PrintStream out;
    private final PrintStream err;

    LatencyCommand(TopologyFinder finder, Pause pause, PrintStream out, PrintStream err) {
        this.finder = finder;
        this.pause = pause;
        this.out = out;
        this.err = err;
    }

    /** Asks Nimbus for a topology. */
    @FunctionalInterface
    interface TopologyFinder {

        /** The topology of that name; throws the exception of Nimbus if there is none. */
        RunningTopology find(String name) throws TException;
    }

    /** Waits between two tables. */
    @FunctionalInterface
    interface Pause {

        /** Returns after so many seconds. */
        void secs(long secs) throws InterruptedException;
    }

    /**
     * Ends the JVM with 0, with 1 if there is nothing to show, or with 2 if the command line is wrong.
     *
     * @throws Exception if Nimbus cannot be reached, or does not know the topology
     */
    public static void main(String[] args) throws Exception {
        System.exit(new LatencyCommand(LatencyCommand::ask, TimeUnit.SECONDS::sleep, System.out, System.err).run(args));
    }

    private static RunningTopology ask(String name) throws TException {
        try (NimbusClient nimbus = NimbusClient.Builder.withConf(Utils.readStormConfig()).build()) {
            return RunningTopology.find(name, nimbus.getClient());
        }
    }

    int run(String... args) throws TException, InterruptedException {
        CommandArguments arguments;
        long intervalSecs;
        try {
            arguments = new CommandArguments(args, Map.of("--component", 1, "--interval", 1, "--watch", 0));
            if (arguments.words().size() != 1) {
                throw new IllegalArgumentException(arguments.words().isEmpty() ? "no TOPOLOGY given"
                    : "one TOPOLOGY at a time, not " + String.join(", ", arguments.words()));
            }
            intervalSecs = arguments.number("--interval", 1, arguments.has("--watch") ? WATCH_INTERVAL_SECS : 0);
        } catch (IllegalArgumentException e) {
            err.println("storm latency: " + e.getMessage());
            err.println(USAGE);
            return 2;
        }
        String component = arguments.value("--component").map(HopKey::inTag).orElse(null);
        RunningTopology topology = finder.find(arguments.words().get(0));
        Optional<String> obstacle = obstacle(topology, component);
        if (obstacle.isPresent()) {
            err.println("storm latency: " + obstacle.get());
            return 1;
        }
        return arguments.has("--watch") ? watch(topology, component, intervalSecs) : showOnce(topology, component, intervalSecs);
    }

    private int showOnce(RunningTopology topology, String component, long intervalSecs) throws InterruptedException {
        WorkerEndpoints.Answers answers = endpoints.fetch(topology);
        if (intervalSecs == 0 || answers.snapshots().isEmpty()) {
            return show(topology, answers, component, SINCE_THEY_STARTED);
        }
        pause.secs(intervalSecs);
        return showSince(answers, topology, endpoints.fetch(topology), component);
    }

    /** Returns only when there is nothing left to watch. */
    private int watch(RunningTopology first, String component, long intervalSecs) throws TException, InterruptedException {
        RunningTopology topology = first;
        WorkerEndpoints.Answers before = endpoints.fetch(topology);
        while (true) {
            if (before.snapshots().isEmpty()) {
                return show(topology, before, component, SINCE_THEY_STARTED);
            }
            pause.secs(intervalSecs);
            topology = finder.find(topology.name());
            WorkerEndpoints.Answers now = endpoints.fetch(topology);
            showSince(before, topology, now, component);
            out.println();
            before = now;
        }
    }

    private static Optional<String> obstacle(RunningTopology topology, String component) {
        LatencyRecordingConfiguration configuration = topology.configuration();
        if (configuration.sampling().isOff()) {
            return Optional.of("topology " + topology.name() + " records no latencies. Submit it again with -c "
                + LatencyRecordingConfiguration.RECORDING + "=sampled:1/1000, or =all.");
        }
        if (configuration.endpointPortOffset() == 0) {
            return Optional.of("the workers of topology " + topology.name() + " do not serve what they record. Submit it again with -c "
                + LatencyRecordingConfiguration.ENDPOINT_PORT_OFFSET + "=10000, or read their interval logs with `storm latency-plot`.");
        }
        if (topology.workers().isEmpty()) {
            return Optional.of("topology " + topology.name() + " has no workers yet. `storm list` shows how many slots are free.");
        }
        if (component != null && !topology.plan().contains(component)) {
            return Optional.of("topology " + topology.name() + " has no component " + component + ". It has "
                + String.join(", ", topology.plan().components()) + ".");
        }
        return Optional.empty();
    }

    private int showSince(WorkerEndpoints.Answers before, RunningTopology topology, WorkerEndpoints.Answers now, String component) {
        WorkerEndpoints.Answers answers = now.since(before);
        String when = answers.snapshots().isEmpty() ? "" : String.format(Locale.ROOT, "in %.1f s until %s",
            Duration.between(before.time(), answers.time()).toMillis() / 1e3, TIME.format(answers.time()));
        return show(topology, answers, component, when);
    }

    /** Returns the exit code. */
    private int show(RunningTopology topology, WorkerEndpoints.Answers answers, String component, String when) {
        boolean sinceTheyStarted = when.equals(SINCE_THEY_STARTED);
        answers.causes().forEach((worker, cause) -> err.println("storm latency: worker " + worker + " is left out: " + cause + "."));
        if (answers.snapshots().isEmpty()) {
            err.println("storm latency: no worker of topology " + topology.name() + " reports its latencies" + (answers.causes().isEmpty()
                ? "." : ", for the reasons above.") + " If they have just started, ask again in a while. If they still do not, check that "
                + "their own port + " + topology.configuration().endpointPortOffset() + " is open, and look for the cause in worker.log.");
            return 1;
        }
        LatencyTable table = new LatencyTable(topology.plan(), answers.snapshots().values(), component);
        out.println(headline(topology, answers, when));
        if (table.isEmpty()) {
            out.println("Nothing was recorded" + (component == null ? "" : " of " + component) + (sinceTheyStarted ? " yet." : ".")
                + " Do the spouts emit?" + (sinceTheyStarted ? "" : " A longer --interval shows more.")
                + (topology.configuration().sampling().every() == 1 ? "" : " To record more messages, submit the topology again with -c "
                + LatencyRecordingConfiguration.RECORDING + "=all."));
            return 0;
        }
        table.lines().forEach(out::println);
        if (table.hasFew()) {
            out.println("* : with fewer than 1,000 values p99.9 is the largest value; with fewer than 100, p99 is, too.");
        }
        if (table.hasUncertain()) {
            out.println("< : the clocks of two hosts may differ by more than the figure, so the upper limit is shown.");
        }
        if (table.dropped() > 0) {
            out.println(String.format(Locale.ROOT, "%,d values are missing: longer than %s, or on clocks whose offset is unknown (see"
                + " worker.log).", table.dropped(), LatencyRecordingConfiguration.RANGE_SECS));
        }
        return 0;
    }

    private static String headline(RunningTopology topology, WorkerEndpoints.Answers answers, String when) {
        Sampling sampling = topology.configuration().sampling();
        return String.format(Locale.ROOT, "%s: %d of %d workers, %s, %s", topology.id(), answers.snapshots().size(),
            topology.workers().size(),
            sampling.every() == 1 ? "every message" : String.format(Locale.ROOT, "1 of %,d messages", sampling.every()), when);
    }
}
