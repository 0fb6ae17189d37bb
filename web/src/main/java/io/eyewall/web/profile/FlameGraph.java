package io.eyewall.web.profile;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import one.convert.Arguments;
import one.convert.JfrToFlame;
import one.jfr.JfrReader;

/**
 * The samples of recordings, thread by thread: an executor has a thread of its name. Drawn by async-profiler's converter, as a page that
 * needs nothing from elsewhere. For one thread.
 */
public final class FlameGraph {

    /** The exit code of a process that finds nothing to draw. */
    public static final int EMPTY = 3;

    private static final String COLLAPSED = "collapsed";
    /** What the converter puts behind a frame to say how it ran: interpreted, compiled, inlined and so on. */
    private static final Pattern KIND = Pattern.compile("_\\[.]$");
    /** A component, or with the tasks of an executor of it, as the UI writes them. */
    private static final Pattern EXECUTOR = Pattern.compile("(.*)\\[(\\d+)-(\\d+)]");
    private static final String ENGINE = "engine";
    private static final String PERF_EVENTS = "perf_events";

    private final Sampled sampled;
    private final List<String> stacks = new ArrayList<>();
    private final Map<String, Long> self = new HashMap<>();
    private long total;
    private String by = "";

    /** A graph that is empty as yet. */
    FlameGraph(Sampled sampled) {
        this.sampled = sampled;
    }

    /**
     * A method, class or lock that stacks ended in.
     *
     * @param name of a method with its class
     * @param share of everything, from 0 to 1
     */
    public record Frame(String name, double share) {
    }

    /**
     * Writes the flame graph of a recording to standard output. Ends with {@link #EMPTY} if there is nothing to draw, and with 1 if it is
     * not a whole recording.
     *
     * @param arguments a recording, a title, what to draw, and perhaps of whose threads
     */
    public static void main(String[] arguments) throws IOException {
        FlameGraph graph = new FlameGraph(Sampled.valueOf(arguments[2]));
        graph.add(Path.of(arguments[0]), Optional.of(arguments[3]).filter(threads -> !threads.isEmpty()), Optional.empty());
        if (graph.isEmpty()) {
            System.exit(EMPTY);
        }
        graph.write(arguments[1], System.out);
    }

    /**
     * Adds what a recording has.
     *
     * @param threads the component whose executors' threads to add, or one executor as {@code count[4-4]}; empty for all threads
     * @param worker a name that its stacks begin with; empty if it is the only one
     * @throws IOException if it is not a whole recording
     */
    void add(Path recording, Optional<String> threads, Optional<String> worker) throws IOException {
        by = engine(recording);
        if (sampled == Sampled.WALL && by.isEmpty()) {
            return;
        }
        List<String> options = new ArrayList<>(List.of("--threads", "--total", "--norm", "--dot", "--output", COLLAPSED));
        if (sampled != Sampled.CPU || !by.isEmpty()) {
            options.add("--" + sampled.key());
        }
        threads.ifPresent(name -> options.addAll(List.of("--include", "\\[Thread-\\d+-" + ofExecutors(name))));
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try (PrintStream output = new PrintStream(text, false, StandardCharsets.UTF_8)) {
            JfrToFlame.parse(recording.toString(), new Arguments(options.toArray(String[]::new))).dump(output);
        }
        for (String line : text.toString(StandardCharsets.UTF_8).split("\n", -1)) {
            int blank = line.lastIndexOf(' ');
            if (blank > 0 && !sampled.leavesOut(line.substring(0, blank))) {
                long width = Long.parseLong(line.substring(blank + 1));
                total += width;
                self.merge(KIND.matcher(line.substring(line.lastIndexOf(';', blank) + 1, blank)).replaceFirst(""), width, Long::sum);
                stacks.add(worker.map(name -> name + ";").orElse("") + line);
            }
        }
    }

    /** The pattern of names of threads, from the component on. */
    private static String ofExecutors(String name) {
        Matcher executor = EXECUTOR.matcher(name);
        return Pattern.quote(executor.matches()
            ? executor.group(1) + "-executor[" + executor.group(2) + ", " + executor.group(3) + "]" : name + "-executor[") + ".*";
    }

    /** How async-profiler has taken the samples, which it notes before the first one; empty if it has not. */
    private static String engine(Path recording) throws IOException {
        try (JfrReader reader = new JfrReader(recording.toString())) {
            reader.readEvent();
            return reader.settings.getOrDefault(ENGINE, "");
        }
    }

    boolean isEmpty() {
        return total == 0;
    }

    /** The width of the graph: samples, nanoseconds of waiting, or bytes. */
    long total() {
        return total;
    }

    /** What has been sampled, and how. */
    String title() {
        String how = by.isEmpty() ? "by Java's Flight Recorder" : "by async-profiler";
        boolean hasKernel = sampled != Sampled.CPU || by.isEmpty() || by.equals(PERF_EVENTS);
        return sampled.title() + ", " + how + (hasKernel ? "" : " with timers, without the kernel: perf events are not permitted");
    }

    /** What most stacks ended in, the first one first. */
    List<Frame> hottest(int most) {
        return self.entrySet().stream()
            .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey())).limit(most)
            .map(entry -> new Frame(entry.getKey(), (double) entry.getValue() / total)).toList();
    }

    /** Writes the page. */
    void write(String title, OutputStream page) throws IOException {
        one.convert.FlameGraph graph = new one.convert.FlameGraph(new Arguments("--title", title + ". " + title()));
        graph.parseCollapsed(new StringReader(String.join("\n", stacks)));
        PrintStream output = new PrintStream(page, false, StandardCharsets.UTF_8);
        graph.dump(output);
        if (output.checkError()) {
            throw new IOException("The flame graph cannot be written. Is the disk full?");
        }
    }
}
