package io.eyewall.integration.bench.transport;

import io.eyewall.integration.bench.data.Circumstances;
import io.eyewall.integration.bench.data.Machine;
import io.eyewall.integration.bench.data.Measurement;
import io.eyewall.integration.bench.data.Measurements;
import io.eyewall.integration.bench.data.Quantity;
import io.eyewall.integration.cluster.BenchClock;
import io.eyewall.integration.cluster.StormHome;
import java.io.IOException;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Compares transports, which carry tuples between workers, the sides in turns. */
public final class TransportBench {

    /** The names of its scenarios. */
    public static final List<String> NAMES = List.of("transport/ping-pong", "transport/stream");

    private static final List<Integer> SIZES_BYTES = List.of(64, 512, 4_096, 32_768, 65_536, 524_288);
    private static final String RDM = "storm.messaging.fabric.endpoint=rdm";
    private static final String SPIN = "storm.messaging.fabric.idle=spin";
    private static final String FABRIC = "storm.messaging.transport=io.eyewall.transport.fabric.FabricContext";

    private static final Quantity HALF_ROUND_TRIP = new Quantity("half_round_trip_ns");
    private static final Quantity MESSAGES = new Quantity("messages_per_s");
    private static final Quantity BANDWIDTH = new Quantity("mb_per_s");
    private static final Quantity CPU = new Quantity("cpu_us_per_message");

    private final StormHome upstream;
    private final StormHome eyewall;
    private final String eyewallVersion;
    private final BenchClock clock;
    private final PrintStream progress;

    /** Takes both installations; {@code progress} gets a line for each run. */
    public TransportBench(StormHome upstream, StormHome eyewall, String eyewallVersion, BenchClock clock, PrintStream progress) {
        this.upstream = upstream;
        this.eyewall = eyewall;
        this.eyewallVersion = eyewallVersion;
        this.clock = clock;
        this.progress = progress;
    }

    /**
     * Measures one scenario.
     *
     * @param name one of {@link #NAMES}
     * @param rounds how often each side is measured
     * @param measureMs how long each size is measured, after half as long to warm up, and two seconds before the first
     * @param circumstances those of the whole benchmark
     * @return a line for each size, side and round; the sizes are in the names of the scenarios
     */
    public Measurements run(String name, int rounds, long measureMs, Circumstances circumstances) throws IOException, InterruptedException {
        boolean stream = name.equals(NAMES.get(1));
        List<TransportSide> sides = sides(stream);
        List<Measurement> measured = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            for (TransportSide side : sides) {
                double stolenBefore = Machine.stolenSecondsPerCore();
                long startMs = clock.epochMs();
                List<double[]> figures = side.measure(stream ? "stream" : "ping-pong", SIZES_BYTES, measureMs);
                double stolen = (Machine.stolenSecondsPerCore() - stolenBefore) / (Math.max(1, clock.epochMs() - startMs) / 1000.0);
                for (int size = 0; size < SIZES_BYTES.size(); size++) {
                    measured.add(Measurement.ofRound(new Measurement.Setting(name + "/" + bytes(SIZES_BYTES.get(size)), ""), side.label(),
                        round, circumstances.ofRun(side.version(), stolen), figures(stream, SIZES_BYTES.get(size), figures.get(size))));
                }
                progress.printf(Locale.ROOT, "%s round %d/%d %s%n", name, round, rounds, side.label());
            }
        }
        return new Measurements(stream ? List.of(MESSAGES, BANDWIDTH, CPU) : List.of(HALF_ROUND_TRIP), bySize(measured, name));
    }

    /** The figures of a side for one size, by column, without those that are not a number since the side does not measure them. */
    static Map<String, BigDecimal> figures(boolean stream, int sizeBytes, double[] figures) {
        Map<String, BigDecimal> byColumn = new LinkedHashMap<>();
        if (!stream) {
            byColumn.put(HALF_ROUND_TRIP.column(), decimal(1_000 * figures[0], 0));
            return byColumn;
        }
        byColumn.put(MESSAGES.column(), decimal(figures[0], 0));
        byColumn.put(BANDWIDTH.column(), decimal(figures[0] * sizeBytes / 1e6, 1));
        if (!Double.isNaN(figures[1])) {
            byColumn.put(CPU.column(), decimal(figures[1], 3));
        }
        return byColumn;
    }

    private static BigDecimal decimal(double figure, int decimals) {
        return BigDecimal.valueOf(figure).setScale(decimals, RoundingMode.HALF_UP);
    }

    /** Sizes one after the other, as in a table, where the rounds have gone through all of them. */
    private static List<Measurement> bySize(List<Measurement> measured, String name) {
        return SIZES_BYTES.stream().map(size -> name + "/" + bytes(size))
            .flatMap(scenario -> measured.stream().filter(measurement -> measurement.setting().scenario().equals(scenario))).toList();
    }

    private static String bytes(int size) {
        return size < 1_024 ? size + "B" : size / 1_024 + "KB";
    }

    private List<TransportSide> sides(boolean stream) throws IOException {
        TransportSide netty = TransportSide.of("Netty, upstream", upstream, upstream.version());
        TransportSide messages = TransportSide.of("libfabric, msg", eyewall, eyewallVersion, FABRIC);
        TransportSide datagrams = TransportSide.of("libfabric, rdm", eyewall, eyewallVersion, FABRIC, RDM);
        TransportSide messagesInC = new FiPingpong("msg", List.of("tcp"));
        if (stream) {
            return List.of(netty, messages, datagrams, messagesInC);
        }
        // In libfabric 1.17 the provider of datagrams over TCP is called net; tcp is a layer over it there.
        TransportSide datagramsInC = new FiPingpong("rdm", List.of("net", "tcp"));
        return List.of(messagesInC, netty, messages, TransportSide.of("libfabric, msg, spin", eyewall, eyewallVersion, FABRIC, SPIN),
            datagramsInC, datagrams, TransportSide.of("libfabric, rdm, spin", eyewall, eyewallVersion, FABRIC, RDM, SPIN));
    }
}
