package io.eyewall.integration.bench.page;

import io.eyewall.core.report.BadFileException;
import io.eyewall.integration.bench.data.Measurement.Setting;
import io.eyewall.integration.bench.data.MeasurementFile;
import io.eyewall.integration.bench.data.Measurements;
import io.eyewall.integration.bench.data.Quantity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A page in Markdown that shows measurements. The text between a marker and {@value #END} is made from the files that the marker names, by
 * paths relative to the page. All other text stays as it is, and so do markers within fences.
 *
 * <pre>
 *   &lt;!-- table ../benchmarks/chain/full-speed.csv columns=tuples_per_s,p50_ns scenarios=chain/ack/1w,chain/ack/2w --&gt;
 *   &lt;!-- table ../benchmarks/profile/one-worker.csv sides=columns --&gt;
 *   &lt;!-- plot ../benchmarks/chain/full-speed.csv column=tuples_per_s to=plots/chain.svg title="The chain at full speed" --&gt;
 *   &lt;!-- curves ../benchmarks/henge/juice-queue.csv to=plots/juice-queue.svg title="Juice and a queue" --&gt;
 *   &lt;!-- end --&gt;
 * </pre>
 */
public final class ReportPage {

    private static final String END = "<!-- end -->";
    private static final String FENCE = "```";
    private static final Pattern MARKER = Pattern.compile("<!-- (table|plot|curves) (\\S+)((?: \\S+?=(?:\"[^\"]*\"|\\S+))*) -->");
    private static final Pattern OPTION = Pattern.compile(" (\\S+?)=(?:\"([^\"]*)\"|(\\S+))");
    private static final Map<String, Set<String>> OPTIONS =
        Map.of("table", Set.of("columns", "scenarios", "sides"), "plot", Set.of("column", "to", "title", "scenarios"), "curves",
            Set.of("to", "title"));

    private final Path page;

    /**
     * A page as it should be.
     *
     * @param text the lines of the page
     * @param plots the lines of each plot, by the path of its file
     * @param sources the files or directories of measurements that it shows
     */
    public record Rendered(List<String> text, Map<Path, List<String>> plots, Set<Path> sources) {
    }

    /** One marker: where it is and what it asks for. */
    private record Marker(int line, String kind, Path source, Map<String, String> options) {
    }

    /** Names the page; does not read it yet. */
    public ReportPage(Path page) {
        this.page = page;
    }

    /**
     * Writes the page and its plots if they differ from what they should be, and returns the files that did.
     *
     * @throws BadFileException if a marker or a file of measurements is wrong; it names the file, the line and what to do
     */
    public List<Path> update() throws IOException {
        Rendered rendered = render();
        Map<Path, List<String>> files = new LinkedHashMap<>(rendered.plots());
        files.put(page, rendered.text());
        List<Path> changed = new ArrayList<>();
        for (Map.Entry<Path, List<String>> file : files.entrySet()) {
            if (!Files.exists(file.getKey()) || !Files.readAllLines(file.getKey()).equals(file.getValue())) {
                Files.createDirectories(file.getKey().toAbsolutePath().getParent());
                Files.write(file.getKey(), file.getValue());
                changed.add(file.getKey());
            }
        }
        return changed;
    }

    /**
     * The page as it should be; writes nothing.
     *
     * @throws BadFileException as above
     */
    public Rendered render() throws IOException {
        if (!Files.isRegularFile(page)) {
            throw new BadFileException(page, "no such page");
        }
        List<String> lines = Files.readAllLines(page);
        Rendered rendered = new Rendered(new ArrayList<>(), new TreeMap<>(), new LinkedHashSet<>());
        boolean fenced = false;
        for (int index = 0; index < lines.size(); index++) {
            String line = lines.get(index);
            rendered.text().add(line);
            fenced ^= line.startsWith(FENCE);
            if (!fenced && (line.startsWith("<!-- table") || line.startsWith("<!-- plot") || line.startsWith("<!-- curves"))) {
                fill(rendered, marker(index + 1, line));
                index = end(lines, index);
                rendered.text().add(END);
            }
        }
        return rendered;
    }

    private Marker marker(int line, String text) throws BadFileException {
        Matcher matcher = MARKER.matcher(text);
        if (!matcher.matches()) {
            throw new BadFileException(page, line, "not a marker of the form <!-- table FILE OPTION=VALUE --> or <!-- plot FILE"
                + " OPTION=VALUE -->");
        }
        Map<String, String> options = new LinkedHashMap<>();
        Matcher option = OPTION.matcher(matcher.group(3));
        while (option.find()) {
            if (!OPTIONS.get(matcher.group(1)).contains(option.group(1))) {
                throw new BadFileException(page, line, "a " + matcher.group(1) + " has no option " + option.group(1) + "; there are "
                    + String.join(", ", OPTIONS.get(matcher.group(1)).stream().sorted().toList()));
            }
            options.put(option.group(1), option.group(2) == null ? option.group(3) : option.group(2));
        }
        return new Marker(line, matcher.group(1), page.resolveSibling(matcher.group(2)).normalize(), options);
    }

    private int end(List<String> lines, int marker) throws BadFileException {
        for (int index = marker + 1; index < lines.size(); index++) {
            if (lines.get(index).equals(END)) {
                return index;
            }
            if (MARKER.matcher(lines.get(index)).matches()) {
                break;
            }
        }
        throw new BadFileException(page, marker + 1, "the marker has no end: add a line " + END + " behind it");
    }

    private void fill(Rendered rendered, Marker marker) throws IOException {
        rendered.sources().add(marker.source());
        rendered.text().add("");
        if (marker.kind().equals("curves")) {
            show(rendered, marker, new LinePlot(required(marker, "title"), marker.source()).svg());
            return;
        }
        Measurements measurements = chosen(marker);
        if (marker.kind().equals("table")) {
            String sides = marker.options().getOrDefault("sides", "rows");
            if (!Set.of("rows", "columns").contains(sides)) {
                throw new BadFileException(page, marker.line(), "sides=" + sides + ": write rows or columns");
            }
            rendered.text().addAll(new MeasurementTable(measurements, sides.equals("columns")).markdown());
        } else {
            show(rendered, marker, new BarPlot(required(marker, "title"), measurements).svg());
            return;
        }
        rendered.text().add("");
    }

    private void show(Rendered rendered, Marker marker, List<String> svg) throws BadFileException {
        String to = required(marker, "to");
        rendered.plots().put(page.resolveSibling(to).normalize(), svg);
        rendered.text().add("![" + required(marker, "title") + "](" + to + ")");
        rendered.text().add("");
    }

    private Measurements chosen(Marker marker) throws IOException {
        Measurements all = MeasurementFile.readAll(marker.source());
        Set<String> scenarios = all.settings().stream().map(Setting::scenario).collect(Collectors.toCollection(LinkedHashSet::new));
        List<String> columns = all.quantities().stream().map(Quantity::column).toList();
        if (marker.options().containsKey("scenarios")) {
            all = all.withScenarios(Set.copyOf(names(marker, "scenarios", scenarios)));
        }
        if (marker.kind().equals("plot")) {
            required(marker, "column");
        }
        String option = marker.kind().equals("plot") ? "column" : "columns";
        return marker.options().containsKey(option)
            ? all.withQuantities(names(marker, option, columns).stream().map(Quantity::new).toList())
            : all;
    }

    private List<String> names(Marker marker, String option, Iterable<String> known) throws BadFileException {
        List<String> names = List.of(marker.options().get(option).split(",", -1));
        List<String> there = new ArrayList<>();
        known.forEach(there::add);
        for (String name : names) {
            if (!there.contains(name)) {
                throw new BadFileException(page, marker.line(), option + "=" + name + ": " + marker.source() + " has "
                    + String.join(", ", there));
            }
        }
        return names;
    }

    private String required(Marker marker, String option) throws BadFileException {
        if (!marker.options().containsKey(option)) {
            throw new BadFileException(page, marker.line(), "a " + marker.kind() + " needs " + option + "=...");
        }
        return marker.options().get(option);
    }
}
