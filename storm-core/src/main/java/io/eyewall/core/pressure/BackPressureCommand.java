package io.eyewall.core.pressure;

import io.eyewall.core.report.CommandArguments;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.apache.storm.generated.GetInfoOptions;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NumErrorsChoice;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;

/** {@code storm back-pressure TOPOLOGY}: who holds whom back in a running topology, and since when. For one thread. */
public final class BackPressureCommand {

    private static final String NAME = "storm back-pressure: ";

    private final PrintStream out;
    private final PrintStream err;

    BackPressureCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Asks about a topology. */
    @FunctionalInterface
    interface Source {

        PressureReader.Reading read(String topology) throws TException;
    }

    /**
     * Ends the JVM with 0, with 1 if there is nothing to show, or with 2 if the command line is wrong.
     *
     * @throws Exception if Nimbus cannot be reached, or does not know the topology
     */
    public static void main(String[] args) throws Exception {
        System.exit(new BackPressureCommand(System.out, System.err).run(BackPressureCommand::ask, args));
    }

    private static PressureReader.Reading ask(String name) throws TException {
        try (NimbusClient client = NimbusClient.Builder.withConf(Utils.readStormConfig()).build()) {
            Nimbus.Iface nimbus = client.getClient();
            GetInfoOptions options = new GetInfoOptions();
            options.set_num_err_choice(NumErrorsChoice.NONE);
            return new PressureReader().read(nimbus, nimbus.getTopologyInfoByNameWithOpts(name, options).get_id());
        }
    }

    int run(Source source, String... args) throws TException {
        String topology;
        try {
            CommandArguments arguments = new CommandArguments(args, Map.of());
            if (arguments.words().size() != 1) {
                throw new IllegalArgumentException("one TOPOLOGY is needed");
            }
            topology = arguments.words().get(0);
        } catch (IllegalArgumentException e) {
            err.println(NAME + e.getMessage());
            err.println("usage: storm back-pressure TOPOLOGY");
            return 2;
        }
        PressureReader.Reading reading = source.read(topology);
        if (!reading.unavailable().isEmpty()) {
            err.println(NAME + reading.unavailable());
            return 1;
        }
        reading.silent().forEach((worker, cause) -> err.println(NAME + "worker " + worker + " is left out: " + cause + "."));
        BackPressure pressure = reading.pressure();
        if (pressure.components().values().stream().allMatch(component -> component.executors() == 0)) {
            err.println(NAME + "no worker of " + topology + " reports its queues. If they have just started, ask again in a while.");
            return 1;
        }
        if (pressure.culprits().isEmpty()) {
            out.println("No component of " + topology + " holds another one back.");
        }
        pressure.culprits().forEach(this::show);
        out.println();
        out.println(String.format(Locale.ROOT, "%-24s %-8s %9s %10s", "component", "state", "executors", "queue"));
        pressure.components().forEach((id, component) -> out.println(String.format(Locale.ROOT, "%-24s %-8s %9s %8.0f %%", id,
            component.state().name().toLowerCase(Locale.ROOT), component.full() + "/" + component.executors(), 100 * component.load())));
        return 0;
    }

    private void show(BackPressure.Culprit culprit) {
        out.println(culprit.component() + " holds back " + String.join(", ", culprit.holds()) + ", for "
            + duration(culprit.fullMs()) + ":");
        culprit.executors().forEach(queue -> out.println(String.format(Locale.ROOT, "  %s: for %s, %.0f %% of its queue%s", queue,
            duration(queue.fullMs()), 100 * queue.load(), queue.overflow() == 0 ? "" : ", " + queue.overflow() + " tuples beside it")));
    }

    private static String duration(long ms) {
        Duration duration = Duration.ofMillis(ms);
        return duration.toMinutes() == 0 ? duration.toSeconds() + " s"
            : duration.toHours() == 0 ? duration.toMinutes() + " min " + duration.toSecondsPart() + " s"
            : duration.toHours() + " h " + duration.toMinutesPart() + " min";
    }
}
