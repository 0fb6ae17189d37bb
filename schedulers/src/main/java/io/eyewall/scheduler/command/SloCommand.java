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
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.thrift.TException;

/**
 * {@code storm slo [list | TOPOLOGY ...]}, {@code storm slo set TOPOLOGY KEY=VALUE ...} and
 * {@code storm slo history [--plot FILE] [TOPOLOGY ...]}.
 */
public final class SloCommand {

    static final String NAME = "storm slo";
    private static final String USAGE = "usage: storm slo [list | TOPOLOGY ...]\n       storm slo set TOPOLOGY KEY=VALUE ...\n"
        + "       storm slo history [--plot FILE] [TOPOLOGY ...]";

    private final SchedulerClient client;
    private final SchedulerConsole console;
    private final PrintStream out;

    SloCommand(SchedulerClient client, SchedulerConsole console) {
        this.client = client;
        this.console = console;
        out = console.out();
    }

    /**
     * Runs the command. The exit code is 0, 1 if the request is refused, or 2 if the command line is wrong.
     *
     * @throws Exception if Nimbus cannot be reached or refuses, or the file of a plot cannot be written
     */
    public static void main(String[] args) throws Exception {
        SchedulerConsole.exitAfter(NAME, (client, console) -> new SloCommand(client, console).run(args));
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
            return console.misused(e, USAGE);
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
            boolean hasJson = parsed != null && !(parsed instanceof Double number && number.isInfinite());
            String key = word.substring(0, equals);
            settings.put(key.startsWith(SloConfiguration.PREFIX) ? key : SloConfiguration.PREFIX + key, hasJson ? parsed : value);
        }
        return settings;
    }

    private boolean isHenge() throws TException {
        SchedulerClient.SchedulerInfo scheduler = client.scheduler();
        if (scheduler.className().equals(HengeScheduler.class.getName())) {
            return true;
        }
        console.refuse("the cluster's scheduler is " + scheduler.readableName() + ". Set storm.scheduler: " + HengeScheduler.class.getName()
            + " in Nimbus's storm.yaml and restart Nimbus.");
        return false;
    }

    private int show(List<String> topologies) throws TException {
        Optional<SloReport> report = client.read(SloReport.KEY).map(SloReport::of);
        if (report.isEmpty()) {
            return console.refuse("the scheduler has not reported yet: ask again after its first rounds, in "
                + 2 * client.scheduler().roundSecs() + " s.");
        }
        List<SloReport.Row> rows = report.get().rows().stream()
            .filter(row -> topologies.isEmpty() || topologies.contains(row.topologyName())).toList();
        for (String topology : topologies) {
            if (rows.stream().noneMatch(row -> row.topologyName().equals(topology))) {
                client.checkAlive(topology);
                return console.refuse("topology " + topology + " has no SLO: storm slo set " + topology + " latency.ms=50 gives it one.");
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
                // The scheduler of an older version reports no time.
                out.println("  last action  " + (row.lastActionMs() > 0 ? SchedulerConsole.time(row.lastActionMs()) + ", " : "")
                    + row.lastAction());
            }
        }
        out.println("At " + SchedulerConsole.time(report.get().timeMs()) + " the scheduler: " + report.get().activity() + ".");
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
            return console.refuse(response.progress() == SloRequest.Progress.REFUSED ? SchedulerConsole.sentence(response.text())
                : "Nimbus's scheduler has not responded. nimbus.log has the reason.");
        } finally {
            client.delete(request.key());
        }
    }

    /** Waits until a request has come further than these, or for too long. */
    private SloRequest await(SloRequest request, Set<SloRequest.Progress> whileIn) throws TException, InterruptedException {
        return console.await(SchedulerConsole.responseSecs(client.scheduler()), () -> client.read(request.key()).map(SloRequest::of)
            .filter(now -> !whileIn.contains(now.progress()))).orElse(request);
    }

    /** The utilities until the last round: the history has those that had changed. */
    List<SloHistory.Point> points() throws TException {
        List<SloHistory.Point> points = new ArrayList<>(client.read(SloHistory.UTILITIES_KEY).map(SloHistory::points).orElse(List.of()));
        client.read(SloReport.KEY).map(SloReport::of).map(report -> SloHistory.Point.of(report.timeMs(), report.rows()))
            .filter(last -> !points.isEmpty() && last.timeMs() > points.get(points.size() - 1).timeMs()).ifPresent(points::add);
        return points;
    }

    private int history(List<String> topologies, Optional<Path> plot) throws TException, IOException {
        List<HengeEvent> events = client.read(SloHistory.LOG_KEY).map(SloHistory::events).orElse(List.of());
        List<SloHistory.Point> points = plot.isPresent() ? points() : List.of();
        for (String topology : topologies) { // Some may not run any more.
            boolean isDrawn = points.stream().anyMatch(point -> point.utilities().containsKey(topology));
            if (!isDrawn && SloHistory.of(events, List.of(topology)).isEmpty()) {
                client.checkAlive(topology);
                if (plot.isEmpty()) {
                    out.println("Nothing has been done for an SLO of " + topology + ".");
                }
            }
        }
        if (plot.isPresent()) {
            if (topologies.size() > UtilityPlot.MAX_TOPOLOGIES) {
                throw new IllegalArgumentException("a plot has at most " + UtilityPlot.MAX_TOPOLOGIES + " topologies, and "
                    + topologies.size() + " are named");
            }
            if (points.stream().allMatch(point -> point.utilities().isEmpty())) {
                return console.refuse("there is no utility to draw yet: no topology with an SLO has been measured.");
            }
            UtilityPlot drawn = new UtilityPlot(points, events, topologies);
            drawn.write(plot.get());
            out.println("Plot: " + plot.get());
            if (!drawn.omitted().isEmpty()) {
                out.println("Not drawn, since " + (topologies.isEmpty() ? "at most " + UtilityPlot.MAX_TOPOLOGIES
                    + " are, those with the highest utility; name the others to draw them: " : "no utility of them is known: ")
                    + String.join(", ", drawn.omitted()));
            }
            return 0;
        }
        List<HengeEvent> shown = topologies.isEmpty() ? events : SloHistory.of(events, topologies);
        if (events.isEmpty() && topologies.isEmpty()) {
            out.println("Nothing has been done for an SLO.");
        }
        for (HengeEvent event : shown) {
            out.println(SchedulerConsole.time(event.timeMs()) + "  " + event.line());
        }
        return 0;
    }
}
