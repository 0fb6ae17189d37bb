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
import java.util.regex.Pattern;
import one.convert.Arguments;
import one.convert.JfrToFlame;

/**
 * The samples of recordings, thread by thread: an executor has a thread of its name. Drawn by async-profiler's converter, as a page that
 * needs nothing from elsewhere. For one thread.
 */
public final class FlameGraph {

    private static final String COLLAPSED = "collapsed";
    /** What the converter puts behind a frame to say how it ran: interpreted, compiled, inlined and so on. */
    private static final Pattern KIND = Pattern.compile("_\\[.]$");
    /** Where threads wait in the kernel, which the Flight Recorder samples as if they ran. */
    private static final Pattern WAITING = Pattern.compile(".*\\b(EPoll\\.wait|Native\\.epoll(Busy)?Wait\\d?|KQueue\\.poll"
        + "|Net\\.(accept|poll)|SocketDispatcher\\.read0|socketAccept|ProcessHandleImpl\\.waitForProcessExit0)");

    private final List<String> stacks = new ArrayList<>();
    private final Map<String, Long> self = new HashMap<>();
    private long samples;

    /**
     * A method that samples ended in.
     *
     * @param name with its class
     * @param share of all samples, from 0 to 1
     */
    public record Method(String name, double share) {
    }

    /**
     * Writes the flame graph of a recording to standard output.
     *
     * @param arguments a recording, and a title
     * @throws IOException if it is not a whole recording, or has no samples
     */
    public static void main(String[] arguments) throws IOException {
        FlameGraph graph = new FlameGraph();
        graph.add(Path.of(arguments[0]), Optional.empty(), Optional.empty());
        if (graph.samples() == 0) {
            throw new IOException("There are no samples in " + arguments[0] + ".");
        }
        graph.write(arguments[1], System.out);
    }

    /**
     * Adds the samples of a recording.
     *
     * @param component whose executors' threads to add; empty for all threads
     * @param worker a name that its stacks begin with; empty if it is the only one
     * @throws IOException if it is not a whole recording
     */
    void add(Path recording, Optional<String> component, Optional<String> worker) throws IOException {
        List<String> options = new ArrayList<>(List.of("--threads", "--norm", "--dot", "--output", COLLAPSED));
        component.ifPresent(id -> options.addAll(List.of("--include", "\\[Thread-\\d+-" + Pattern.quote(id) + "-executor\\[.*")));
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try (PrintStream output = new PrintStream(text, false, StandardCharsets.UTF_8)) {
            JfrToFlame.parse(recording.toString(), new Arguments(options.toArray(String[]::new))).dump(output);
        }
        for (String line : text.toString(StandardCharsets.UTF_8).split("\n", -1)) {
            int blank = line.lastIndexOf(' ');
            String method = blank < 0 ? "" : KIND.matcher(line.substring(line.lastIndexOf(';', blank) + 1, blank)).replaceFirst("");
            if (blank > 0 && !WAITING.matcher(method).matches()) {
                long count = Long.parseLong(line.substring(blank + 1));
                samples += count;
                self.merge(method, count, Long::sum);
                stacks.add(worker.map(name -> name + ";").orElse("") + line);
            }
        }
    }

    long samples() {
        return samples;
    }

    /** The methods that most samples ended in, the first one first. */
    List<Method> hottest(int most) {
        return self.entrySet().stream()
            .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey())).limit(most)
            .map(entry -> new Method(entry.getKey(), (double) entry.getValue() / samples)).toList();
    }

    /** Writes the page. */
    void write(String title, OutputStream page) throws IOException {
        one.convert.FlameGraph graph = new one.convert.FlameGraph(new Arguments("--title", title));
        graph.parseCollapsed(new StringReader(String.join("\n", stacks)));
        PrintStream output = new PrintStream(page, false, StandardCharsets.UTF_8);
        graph.dump(output);
        if (output.checkError()) {
            throw new IOException("The flame graph cannot be written. Is the disk full?");
        }
    }
}
