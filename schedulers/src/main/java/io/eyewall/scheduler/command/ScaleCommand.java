package io.eyewall.scheduler.command;

import io.eyewall.core.report.CommandArguments;
import io.eyewall.elasticity.plan.ScalingGoal;
import io.eyewall.elasticity.plan.ScalingStrategy;
import io.eyewall.scheduler.scaling.ElasticityScheduler;
import io.eyewall.scheduler.scaling.ScalingEvent;
import io.eyewall.scheduler.scaling.ScalingRecord;
import io.eyewall.scheduler.scaling.ScalingRequest;
import io.eyewall.scheduler.scaling.ScalingResponse;
import java.io.PrintStream;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.storm.thrift.TException;
import org.apache.storm.thrift.transport.TTransportException;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;

/**
 * {@code storm scale TOPOLOGY --out N | --in N [--strategy S] [--dry-run] [--wait]} and {@code storm scale --log [TOPOLOGY]}.
 */
public final class ScaleCommand {

    private static final String USAGE = "usage: storm scale TOPOLOGY --out N | --in N [--strategy STRATEGY] [--dry-run] [--wait]\n"
        + "       storm scale --log [TOPOLOGY]";
    private static final DateTimeFormatter TIME =
        DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());

    /** More than any cluster has. */
    private static final long MOST_MACHINES = 1_000_000;
    private static final long POLL_MS = 500;
    /** Beside two rounds of the scheduler, for it to plan, to commit. */
    private static final long PATIENCE_SECS = 60;
    /** The scheduler gives up measuring after ten minutes. */
    private static final long MEASURING_SECS = 660;

    private final ScalingClient service;
    private final Pause pause;
    private final PrintStream out;
    private final PrintStream err;

    ScaleCommand(ScalingClient service, Pause pause, PrintStream out, PrintStream err) {
        this.service = service;
        this.pause = pause;
        this.out = out;
        this.err = err;
    }

    /** Lets time pass. */
    @FunctionalInterface
    interface Pause {

        /** Returns after so many milliseconds. */
        void ms(long ms) throws InterruptedException;
    }

    /** Something that may be there now, or later. */
    @FunctionalInterface
    private interface Awaited<T> {

        Optional<T> look() throws TException;
    }

    /**
     * Ends the JVM with 0, with 1 if the topology cannot be scaled, or with 2 if the command line is wrong.
     *
     * @throws Exception if Nimbus cannot be reached, or does not know the topology
     */
    public static void main(String[] args) throws Exception {
        int exitCode;
        try (NimbusClient nimbus = NimbusClient.Builder.withConf(Utils.readStormConfig()).build()) {
            exitCode = new ScaleCommand(new NimbusScalingClient(nimbus.getClient()), TimeUnit.MILLISECONDS::sleep, System.out, System.err)
                .run(args);
        }
        System.exit(exitCode);
    }

    int run(String... args) throws TException, InterruptedException {
        CommandArguments arguments;
        ScalingRequest order = null;
        try {
            arguments = new CommandArguments(args,
                Map.of("--out", 1, "--in", 1, "--strategy", 1, "--dry-run", 0, "--wait", 0, "--log", 0));
            if (!arguments.has("--log")) {
                order = order(arguments);
            }
        } catch (IllegalArgumentException e) {
            err.println("storm scale: " + e.getMessage());
            err.println(USAGE);
            return 2;
        }
        return order == null ? showLog(arguments.words()) : scale(order, arguments.has("--wait"));
    }

    private static ScalingRequest order(CommandArguments arguments) {
        if (arguments.words().size() != 1) {
            throw new IllegalArgumentException(arguments.words().isEmpty() ? "no TOPOLOGY given"
                : "one TOPOLOGY at a time, not " + String.join(", ", arguments.words()));
        }
        if (arguments.has("--out") == arguments.has("--in")) {
            throw new IllegalArgumentException("either --out or --in is needed, with a number of machines, and not both");
        }
        String direction = arguments.has("--out") ? "--out" : "--in";
        long machines = arguments.number(direction, 1, 1);
        if (machines > MOST_MACHINES) {
            throw new IllegalArgumentException(direction + " " + machines + ": no cluster has so many machines");
        }
        return new ScalingRequest(UUID.randomUUID().toString(), arguments.words().get(0),
            arguments.has("--out") ? ScalingGoal.Direction.OUT : ScalingGoal.Direction.IN,
            (int) machines, ScalingStrategy.named(arguments.value("--strategy").orElse(ScalingStrategy.ETP.toString())),
            arguments.has("--dry-run"));
    }

    private int scale(ScalingRequest order, boolean waits) throws TException, InterruptedException {
        ScalingClient.SchedulerInfo scheduler = service.scheduler();
        if (!scheduler.className().equals(ElasticityScheduler.class.getName())) {
            return refuse("the cluster's scheduler is " + (scheduler.className().isEmpty() ? "Storm's default" : scheduler.className())
                + ". Set storm.scheduler: " + ElasticityScheduler.class.getName() + " in Nimbus's storm.yaml and start Nimbus again.");
        }
        service.checkAlive(order.topologyName());
        long patienceSecs = 2L * scheduler.roundSecs() + PATIENCE_SECS;
        ScalingRecord post = ScalingRecord.of(order);
        service.post(post);
        try {
            Optional<ScalingResponse> answer = await(patienceSecs, () -> service.answer(post));
            if (answer.isEmpty()) {
                return refuse("Nimbus's scheduler has not answered for " + patienceSecs + " s. nimbus.log has the reason.");
            }
            if (answer.get().isRefused()) {
                return refuse(sentence(answer.get().refusal()));
            }
            out.print(answer.get().text());
            return order.dryRun() ? 0 : apply(order, answer.get(), patienceSecs, waits);
        } catch (TTransportException e) {
            return refuse("Nimbus has gone. Whether the topology was scaled, `storm scale --log` shows when Nimbus is back.");
        } finally {
            withdraw(post);
        }
    }

    /** Takes the order away if Nimbus is there. */
    private void withdraw(ScalingRecord post) throws TException {
        try {
            service.withdraw(post);
        } catch (TTransportException e) {
            return; // It takes away by itself what was answered long ago.
        }
    }

    private int apply(ScalingRequest order, ScalingResponse answer, long patienceSecs, boolean waits)
            throws TException, InterruptedException {
        service.rebalance(order.topologyName(), answer.rebalance());
        Optional<ScalingEvent> outcome = await(patienceSecs, () -> service.log().stream()
            .filter(event -> event.action().equals(order.id()) && event.kind() != ScalingEvent.Kind.MEASURED)
            .findFirst());
        if (outcome.isEmpty()) {
            return refuse("Nimbus's scheduler has not said for " + patienceSecs + " s what became of the rebalance. `storm scale --log` "
                + "shows it when it does; to have the former numbers back: " + answer.undo() + ".");
        }
        if (outcome.get().kind() != ScalingEvent.Kind.COMMITTED) {
            return refuse("aborted: " + sentence(outcome.get().text()));
        }
        out.println("committed: " + outcome.get().text());
        if (!waits) {
            return 0;
        }
        Optional<ScalingEvent> result = await(MEASURING_SECS, () -> service.log().stream()
            .filter(event -> event.action().equals(order.id()) && event.kind() == ScalingEvent.Kind.MEASURED)
            .findFirst());
        if (result.isEmpty()) {
            return refuse("what came of it was not measured. `storm scale --log` shows whether it will be.");
        }
        out.println("measured: " + result.get().text());
        return 0;
    }

    private int showLog(List<String> topologies) throws TException {
        List<ScalingEvent> events = service.log().stream()
            .filter(event -> topologies.isEmpty() || topologies.contains(event.topologyName()))
            .toList();
        if (events.isEmpty()) {
            out.println(topologies.isEmpty() ? "No topology has been scaled."
                : "No scaling of " + String.join(", ", topologies) + " is in the log.");
        }
        for (ScalingEvent event : events) {
            out.println(TIME.format(Instant.ofEpochMilli(event.timeMs())) + "  " + event.topologyName() + "  " + event.order() + "  "
                + event.kind().name().toLowerCase(Locale.ROOT) + ": " + event.text());
        }
        return 0;
    }

    private int refuse(String why) {
        err.println("storm scale: " + why);
        return 1;
    }

    private <T> Optional<T> await(long secs, Awaited<T> awaited) throws TException, InterruptedException {
        for (long leftMs = TimeUnit.SECONDS.toMillis(secs); leftMs > 0; leftMs -= POLL_MS) {
            Optional<T> found = awaited.look();
            if (found.isPresent()) {
                return found;
            }
            pause.ms(POLL_MS);
        }
        return Optional.empty();
    }

    private static String sentence(String text) {
        return text.endsWith(".") ? text : text + ".";
    }
}
