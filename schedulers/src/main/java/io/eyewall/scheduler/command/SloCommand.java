package io.eyewall.scheduler.command;

import io.eyewall.core.report.CommandArguments;
import io.eyewall.elasticity.henge.HengeEvent;
import io.eyewall.scheduler.henge.HengeScheduler;
import io.eyewall.scheduler.henge.SloConfiguration;
import io.eyewall.scheduler.henge.SloHistory;
import io.eyewall.scheduler.henge.SloReport;
import io.eyewall.scheduler.henge.SloRequest;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;

/**
 * {@code storm slo [list | TOPOLOGY ...]}, {@code storm slo set TOPOLOGY KEY=VALUE ...} and
 * {@code storm slo history [--plot FILE] [TOPOLOGY ...]}.
 */
public final class SloCommand {

    private static final String USAGE = "usage: storm slo [list | TOPOLOGY ...]\n       storm slo set TOPOLOGY KEY=VALUE ...\n"
        + "       storm slo history [--plot FILE] [TOPOLOGY ...]";
    private static final DateTimeFormatter TIME =
        DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneId.systemDefault());
    private static final long POLL_MS = 500;
    /** How long to wait for the scheduler, in addition to two of its rounds. */
    private static final long TIMEOUT_SECS = 60;

    private final SchedulerClient client;
    private final ScaleCommand.Pause pause;
    private final PrintStream out;
    private final PrintStream err;

    SloCommand(SchedulerClient client, ScaleCommand.Pause pause, PrintStream out, PrintStream err) {
        this.client = client;
        this.pause = pause;
        this.out = out;
        this.err = err;
    }

    /**
     * Runs the command. The exit code is 0, 1 if the request is refused, or 2 if the command line is wrong.
     *
     * @throws Exception if Nimbus cannot be reached or refuses, or the file of a plot cannot be written
     */
    public static void main(String[] args) throws Exception {
        int exitCode;
        try (NimbusClient nimbus = NimbusClient.Builder.withConf(Utils.readStormConfig()).build()) {
            exitCode = new SloCommand(new NimbusBlobs(nimbus.getClient()), TimeUnit.MILLISECONDS::sleep, System.out, System.err).run(args);
        }
        System.exit(exitCode);
    }

    int run(String... args) throws TException, InterruptedException, IOException {
        try {
            CommandArguments arguments = new CommandArguments(args, Map.of("--plot", 1));
            List<String> words = arguments.words();
            String first = words.isEmpty() ? "list" : words.get(0);
            if (first.equals("set")) {
                if (words.size() < 3) {
                    throw new IllegalArgumentException("set needs a TOPOLOGY and what to set");
                }
                Map<String, Object> settings = settings(words.subList(2, words.size()));
                return isHenge() ? set(words.get(1), settings) : 1;
            }
            if (!isHenge()) {
                return 1;
            }
            if (first.equals("history")) {
                return history(words.subList(1, words.size()), arguments.value("--plot").map(Path::of));
            }
            return show(first.equals("list") ? List.of() : words);
        } catch (IllegalArgumentException e) {
            err.println("storm slo: " + e.getMessage());
            err.println(USAGE);
            return 2;
        }
    }

    private static Map<String, Object> settings(List<String> words) {
        Map<String, Object> settings = new TreeMap<>();
        for (String word : words) {
            int equals = word.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("'" + word + "' is not of the form KEY=VALUE");
            }
            String value = word.substring(equals + 1);
            Object parsed = value.matches("-?\\d[\\d.eE+-]*") ? JSONValue.parse(value) : value;
            settings.put(SloConfiguration.PREFIX + word.substring(0, equals), parsed == null ? value : parsed);
        }
        return settings;
    }

    private boolean isHenge() throws TException {
        SchedulerClient.SchedulerInfo scheduler = client.scheduler();
        if (scheduler.className().equals(HengeScheduler.class.getName())) {
            return true;
        }
        refuse("the cluster's scheduler is " + scheduler.readableName() + ". Set storm.scheduler: " + HengeScheduler.class.getName()
            + " in Nimbus's storm.yaml and restart Nimbus.");
        return false;
    }

    private int show(List<String> topologies) throws TException {
        Optional<SloReport> report = client.read(SloReport.KEY).map(SloReport::of);
        if (report.isEmpty()) {
            return refuse("the scheduler has not reported yet: ask again after its first rounds, in "
                + 2 * client.scheduler().roundSecs() + " s.");
        }
        List<SloReport.Row> rows = report.get().rows().stream()
            .filter(row -> topologies.isEmpty() || topologies.contains(row.topologyName())).toList();
        for (String topology : topologies) {
            if (rows.stream().noneMatch(row -> row.topologyName().equals(topology))) {
                client.checkAlive(topology);
                return refuse("topology " + topology + " has no SLO: storm slo set " + topology + " latency.ms=50 gives it one.");
            }
        }
        if (rows.isEmpty()) {
            out.println("No topology has an SLO.");
        }
        for (SloReport.Row row : rows) {
            out.println(row.topologyName() + ": " + row.state());
            out.println("  SLO          " + row.slo());
            out.println("  now          " + row.values());
            out.println("  utility      " + (row.utility().isPresent() ? String.format(Locale.ROOT, "%.2f", row.utility().getAsDouble())
                : "unknown") + String.format(Locale.ROOT, " of %.2f", row.maxUtility()));
            if (!row.lastAction().isEmpty()) {
                out.println("  last action  " + row.lastAction());
            }
        }
        out.println("At " + time(report.get().timeMs()) + " the scheduler: " + report.get().activity() + ".");
        return 0;
    }

    private int set(String topology, Map<String, Object> settings) throws TException, InterruptedException {
        client.checkAlive(topology);
        SloRequest request = SloRequest.of(UUID.randomUUID().toString(), topology, settings);
        client.create(request.key(), request.toBytes());
        try {
            SloRequest response = await(request, EnumSet.of(SloRequest.Progress.WAITING));
            if (response.progress() == SloRequest.Progress.READY) {
                // The rebalance changes no numbers: the scheduler puts every executor back where it is, and changes the SLO.
                RebalanceOptions options = new RebalanceOptions();
                options.set_wait_secs(0);
                client.rebalance(topology, options);
                response = await(request, EnumSet.of(SloRequest.Progress.WAITING, SloRequest.Progress.READY));
            }
            if (response.progress() == SloRequest.Progress.DONE) {
                out.println("SLO of " + topology + ": " + response.text());
                return 0;
            }
            return refuse(response.progress() == SloRequest.Progress.REFUSED ? sentence(response.text())
                : "Nimbus's scheduler has not responded. nimbus.log has the reason.");
        } finally {
            client.delete(request.key());
        }
    }

    /** Waits until a request has come further than these, or for too long. */
    private SloRequest await(SloRequest request, Set<SloRequest.Progress> whileIn) throws TException, InterruptedException {
        SloRequest now = request;
        for (long leftMs = TimeUnit.SECONDS.toMillis(2L * client.scheduler().roundSecs() + TIMEOUT_SECS); leftMs > 0; leftMs -= POLL_MS) {
            now = client.read(request.key()).map(SloRequest::of).orElse(request);
            if (!whileIn.contains(now.progress())) {
                break;
            }
            pause.ms(POLL_MS);
        }
        return now;
    }

    private int history(List<String> topologies, Optional<Path> plot) throws TException, IOException {
        List<HengeEvent> events = client.read(SloHistory.LOG_KEY).map(SloHistory::events).orElse(List.of());
        if (plot.isPresent()) {
            List<SloHistory.Point> points = client.read(SloHistory.UTILITIES_KEY).map(SloHistory::points).orElse(List.of());
            if (points.isEmpty()) {
                return refuse("there is no utility to draw yet: no topology with an SLO has been measured.");
            }
            new UtilityPlot(points, events, topologies).write(plot.get());
            return 0;
        }
        List<HengeEvent> shown = events.stream()
            .filter(event -> topologies.isEmpty() || topologies.stream().anyMatch(event.text()::contains)).toList();
        if (shown.isEmpty()) {
            out.println("Nothing has been done for an SLO.");
        }
        for (HengeEvent event : shown) {
            out.println(time(event.timeMs()) + "  " + (event.step() == 0 ? "" : "step " + event.step() + ", ")
                + event.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ') + ": " + event.text());
        }
        return 0;
    }

    private int refuse(String why) {
        err.println("storm slo: " + why);
        return 1;
    }

    private static String time(long ms) {
        return TIME.format(Instant.ofEpochMilli(ms));
    }

    private static String sentence(String text) {
        return text.endsWith(".") ? text : text + ".";
    }
}
