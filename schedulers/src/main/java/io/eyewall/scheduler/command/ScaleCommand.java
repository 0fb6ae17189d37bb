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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.storm.thrift.TException;
import org.apache.storm.thrift.transport.TTransportException;

/**
 * {@code storm scale TOPOLOGY --out N | --in N [--strategy S] [--dry-run] [--wait]} and {@code storm scale --log [TOPOLOGY]}.
 */
public final class ScaleCommand {

    static final String NAME = "storm scale";
    private static final String USAGE = "usage: storm scale TOPOLOGY --out N | --in N [--strategy STRATEGY] [--dry-run] [--wait]\n"
        + "       storm scale --log [TOPOLOGY]";
    /** More machines than any cluster has. */
    private static final long MAX_MACHINES = 1_000_000;
    /** How long to wait for the result; the scheduler gives up after ten minutes. */
    private static final long RESULT_TIMEOUT_SECS = 660;

    private final ScalingClient client;
    private final SchedulerConsole console;
    private final PrintStream out;

    ScaleCommand(ScalingClient client, SchedulerConsole console) {
        this.client = client;
        this.console = console;
        out = console.out();
    }

    /**
     * Runs the command. The exit code is 0, 1 if the topology cannot be scaled, or 2 if the command line is wrong.
     *
     * @throws Exception if Nimbus cannot be reached, or the topology is not running
     */
    public static void main(String[] args) throws Exception {
        SchedulerConsole.exitAfter(NAME, (client, console) -> new ScaleCommand(new NimbusScalingClient(client), console).run(args));
    }

    int run(String... args) throws TException, InterruptedException {
        CommandArguments arguments;
        ScalingRequest request = null;
        try {
            arguments = new CommandArguments(args,
                Map.of("--out", 1, "--in", 1, "--strategy", 1, "--dry-run", 0, "--wait", 0, "--log", 0));
            if (!arguments.has("--log")) {
                request = request(arguments);
            }
        } catch (IllegalArgumentException e) {
            return console.misused(e, USAGE);
        }
        return request == null ? showLog(arguments.words()) : scale(request, arguments.has("--wait"));
    }

    private static ScalingRequest request(CommandArguments arguments) {
        if (arguments.words().size() != 1) {
            throw new IllegalArgumentException(arguments.words().isEmpty() ? "no TOPOLOGY given"
                : "one TOPOLOGY at a time, not " + String.join(", ", arguments.words()));
        }
        if (arguments.has("--out") == arguments.has("--in")) {
            throw new IllegalArgumentException("give either --out or --in, with a number of machines");
        }
        String direction = arguments.has("--out") ? "--out" : "--in";
        long machines = arguments.number(direction, 1, 1);
        if (machines > MAX_MACHINES) {
            throw new IllegalArgumentException(direction + " " + machines + ": no cluster has that many machines");
        }
        return new ScalingRequest(UUID.randomUUID().toString(), arguments.words().get(0),
            arguments.has("--out") ? ScalingGoal.Direction.OUT : ScalingGoal.Direction.IN,
            (int) machines, ScalingStrategy.named(arguments.value("--strategy").orElse(ScalingStrategy.ETP.toString())),
            arguments.has("--dry-run"));
    }

    private int scale(ScalingRequest request, boolean waits) throws TException, InterruptedException {
        SchedulerClient.SchedulerInfo scheduler = client.scheduler();
        if (!ElasticityScheduler.NAMES.contains(scheduler.className())) {
            return console.refuse("the cluster's scheduler is " + scheduler.readableName() + ". Set storm.scheduler: "
                + ElasticityScheduler.class.getName() + " in Nimbus's storm.yaml and restart Nimbus.");
        }
        client.checkAlive(request.topologyName());
        long timeoutSecs = SchedulerConsole.responseSecs(scheduler);
        ScalingRecord record = ScalingRecord.of(request);
        client.submit(record);
        try {
            Optional<ScalingResponse> response = console.await(timeoutSecs, () -> client.findResponse(record));
            if (response.isEmpty()) {
                return console.refuse("Nimbus's scheduler has not responded for " + timeoutSecs + " s. nimbus.log has the reason.");
            }
            if (response.get().isRefused()) {
                return console.refuse(SchedulerConsole.sentence(response.get().refusal()));
            }
            out.print(response.get().text());
            return request.dryRun() ? 0 : apply(request, response.get(), timeoutSecs, waits);
        } catch (TTransportException e) {
            return console.refuse("the connection to Nimbus was lost. When Nimbus is back, `storm scale --log` shows whether the topology "
                + "was scaled.");
        } finally {
            withdraw(record);
        }
    }

    /** Removes the request if Nimbus can be reached. */
    private void withdraw(ScalingRecord record) throws TException {
        try {
            client.withdraw(record);
        } catch (TTransportException e) {
            return; // The scheduler removes old responses itself.
        }
    }

    private int apply(ScalingRequest request, ScalingResponse response, long timeoutSecs, boolean waits)
            throws TException, InterruptedException {
        client.rebalance(request.topologyName(), response.rebalance());
        Optional<ScalingEvent> outcome = console.await(timeoutSecs, () -> client.log().stream()
            .filter(event -> event.requestId().equals(request.id()) && event.kind() != ScalingEvent.Kind.MEASURED)
            .findFirst());
        if (outcome.isEmpty()) {
            return console.refuse("Nimbus's scheduler has not reported the outcome of the rebalance for " + timeoutSecs + " s. "
                + "`storm scale --log` shows it later; this restores the previous numbers: " + response.undo() + ".");
        }
        if (outcome.get().kind() != ScalingEvent.Kind.COMMITTED) {
            return console.refuse("aborted: " + SchedulerConsole.sentence(outcome.get().text()));
        }
        out.println("committed: " + outcome.get().text());
        if (!waits) {
            return 0;
        }
        Optional<ScalingEvent> result = console.await(RESULT_TIMEOUT_SECS, () -> client.log().stream()
            .filter(event -> event.requestId().equals(request.id()) && event.kind() == ScalingEvent.Kind.MEASURED)
            .findFirst());
        if (result.isEmpty()) {
            return console.refuse("the result has not been measured yet. `storm scale --log` shows it later.");
        }
        out.println("measured: " + result.get().text());
        return 0;
    }

    private int showLog(List<String> topologies) throws TException {
        List<ScalingEvent> events = client.log().stream()
            .filter(event -> topologies.isEmpty() || topologies.contains(event.topologyName()))
            .toList();
        if (events.isEmpty()) {
            out.println(topologies.isEmpty() ? "No topology has been scaled."
                : "No scaling of " + String.join(", ", topologies) + " is in the log.");
        }
        for (ScalingEvent event : events) {
            out.println(SchedulerConsole.time(event.timeMs()) + "  " + event.topologyName() + "  " + event.request() + "  "
                + event.kind().name().toLowerCase(Locale.ROOT) + ": " + event.text());
        }
        return 0;
    }
}
