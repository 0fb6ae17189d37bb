package io.eyewall.tail.output;

import com.sun.net.httpserver.HttpHandler;
import io.eyewall.client.stream.container.ContainerFeature.Members;
import io.eyewall.client.stream.plan.Instance;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * The pages of a container with a stream manager: those of all its instances as if they were one worker's. An instance that does not answer
 * is left out. Safe for any thread.
 */
final class ContainerPages {

    private static final int USE_COLUMNS = 4;

    private final String topologyId;
    private final String topology;
    private final Members members;
    private final InstancePages pages;
    private final Clock clock;

    /** {@code topology} is the name of the topology. */
    ContainerPages(String topologyId, String topology, Members members, Clock clock) {
        this.topologyId = topologyId;
        this.topology = topology;
        this.members = members;
        this.clock = clock;
        pages = new InstancePages(members);
    }

    /** What is served beside {@code /metrics} and {@code /host}, by path. */
    Map<String, HttpHandler> byPath() {
        return Map.of("/latency", page(this::latency), "/queues", page(this::queues), "/worker", page(this::worker));
    }

    /** What Prometheus reads. */
    HttpHandler metrics() {
        return page(this::prometheus);
    }

    private static HttpHandler page(Supplier<String> text) {
        return new TextPage() {
            @Override
            String text() {
                return text.get();
            }
        };
    }

    private String latency() {
        StringBuilder page = new StringBuilder(head(LatencyPage.FORMAT));
        answers("/latency", LatencyPage.FORMAT).forEach(lines -> lines.forEach(line -> page.append(line).append('\n')));
        pages.askStreamManager("/latency", begin(LatencyPage.FORMAT)).ifPresent(text ->
            lines(text).forEach(line -> page.append(line).append('\n')));
        return page.toString();
    }

    /** For an instance that hangs, and so neither answers nor watches its queues, the stream manager's figures count. */
    private String queues() {
        StringBuilder page = new StringBuilder(head(QueuesPage.FORMAT));
        Map<Integer, BackPressureTimes> held = BackPressureTimes.of(members);
        pages.ask("/queues", begin(QueuesPage.FORMAT)).forEach((instance, answer) -> {
            long forMs = held.containsKey(instance.id()) ? held.get(instance.id()).forMs() : 0;
            List<Queue> queues = answer.map(text -> queues(instance, text)).orElseGet(() -> unanswered(instance, forMs));
            boolean isKnown = queues.stream().anyMatch(queue -> queue.fullMs > 0);
            queues.forEach(queue -> page.append(queue.begin).append('\t').append(isKnown ? queue.fullMs : forMs).append('\n'));
        });
        return page.toString();
    }

    /** A line of a page of queues: all before the time, and the time for which the queue has been full. */
    private record Queue(String begin, long fullMs) {
    }

    /** The queues of an instance's own executors: it has those of Storm's system component, too, as each worker has. */
    private static List<Queue> queues(Instance instance, String page) {
        List<Integer> tasks = instance.tasks();
        List<Queue> queues = new ArrayList<>();
        for (String line : lines(page)) {
            String[] columns = line.split("\t", -1);
            if (columns.length > 2 && tasks.contains(Integer.valueOf(columns[1]))) {
                int end = line.lastIndexOf('\t');
                queues.add(new Queue(line.substring(0, end), Long.parseLong(line.substring(end + 1))));
            }
        }
        return queues;
    }

    private List<Queue> unanswered(Instance instance, long heldMs) {
        return heldMs == 0 ? List.of() : instance.executors().stream().map(executor -> {
            int first = executor.get(0).intValue();
            return new Queue(members.component(first) + '\t' + first + '\t' + (executor.get(1) - first + 1) + "\t1.0\t0", 0);
        }).toList();
    }

    private String worker() {
        long[] use = new long[USE_COLUMNS];
        SortedMap<String, Histogram> latencies = new TreeMap<>();
        for (List<String> lines : answers("/worker", WorkerPage.FORMAT)) {
            String[] columns = lines.get(0).split("\t", -1);
            for (int i = 0; i < use.length; i++) {
                use[i] += Long.parseLong(columns[i]);
            }
            for (String line : lines.subList(1, lines.size())) {
                int end = line.lastIndexOf('\t');
                latencies.merge(line.substring(0, end), histogram(line.substring(end + 1)), ContainerPages::sum);
            }
        }
        StringBuilder page = new StringBuilder(head(WorkerPage.FORMAT)).append(Arrays.stream(use).mapToObj(String::valueOf)
            .collect(Collectors.joining("\t"))).append('\n');
        latencies.forEach((key, histogram) -> page.append(key).append('\t').append(LatencyPage.base64(histogram)).append('\n'));
        return page.toString();
    }

    private String prometheus() {
        PrometheusText text = new PrometheusText();
        pages.ask("/metrics", "").values().forEach(answer -> answer.ifPresent(text::add));
        pages.askStreamManager("/metrics", "").ifPresent(text::add);
        Map<Integer, Instance> instances = members.instances().stream().collect(Collectors.toMap(Instance::id, each -> each));
        new TreeMap<>(BackPressureTimes.of(members)).forEach((id, times) -> {
            Instance instance = instances.get(id);
            if (instance != null) {
                text.addCounter("eyewall_back_pressure_seconds_total", "Time for which an instance has caused back-pressure.",
                    "topology=\"" + PrometheusText.escaped(topology) + "\",component=\"" + PrometheusText.escaped(instance.component())
                        + "\",task=\"" + id + '"', times.totalMs() / 1e3);
            }
        });
        return text.toString();
    }

    /** The pages without their first lines. */
    private List<List<String>> answers(String path, String format) {
        return pages.ask(path, begin(format)).values().stream().flatMap(Optional::stream).map(ContainerPages::lines).toList();
    }

    private static List<String> lines(String page) {
        List<String> lines = page.lines().toList();
        return lines.subList(1, lines.size());
    }

    private String begin(String format) {
        return format + ' ' + topologyId + ' ';
    }

    private String head(String format) {
        return begin(format) + clock.millis() + '\n';
    }

    private static Histogram sum(Histogram a, Histogram b) {
        a.setAutoResize(true);
        a.add(b);
        return a;
    }

    private static Histogram histogram(String base64) {
        try {
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(base64)), 0);
        } catch (DataFormatException e) {
            throw new IllegalArgumentException("An instance has returned a histogram that cannot be read.", e);
        }
    }
}
