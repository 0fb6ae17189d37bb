package io.eyewall.integration.bench.transport;

import io.eyewall.integration.cluster.StormHome;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Compares what carries tuples between workers, the sides in turns, and prints one table. */
public final class TransportBench {

    /** The names of its scenarios. */
    public static final List<String> NAMES = List.of("transport/ping-pong", "transport/stream");

    private static final List<Integer> SIZES_BYTES = List.of(64, 512, 4_096, 32_768, 65_536, 524_288);
    private static final String RDM = "storm.messaging.fabric.endpoint=rdm";
    private static final String SPIN = "storm.messaging.fabric.idle=spin";
    private static final String FABRIC = "storm.messaging.transport=io.eyewall.transport.fabric.FabricContext";

    private final StormHome upstream;
    private final StormHome eyewall;
    private final PrintStream progress;

    /** Takes both installations; tells how far it is. */
    public TransportBench(StormHome upstream, StormHome eyewall, PrintStream progress) {
        this.upstream = upstream;
        this.eyewall = eyewall;
        this.progress = progress;
    }

    /**
     * Measures one scenario.
     *
     * @param name one of {@link #NAMES}
     * @param rounds how often each side is measured
     * @param measureMs how long each size is measured, after half as long to warm up, and two seconds before the first
     * @return the lines of the table
     */
    public List<String> run(String name, int rounds, long measureMs) throws IOException, InterruptedException {
        boolean stream = name.equals(NAMES.get(1));
        List<TransportSide> sides = sides(stream);
        List<List<List<double[]>>> figures = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            List<List<double[]>> ofRound = new ArrayList<>();
            for (TransportSide side : sides) {
                ofRound.add(side.measure(stream ? "stream" : "ping-pong", SIZES_BYTES, measureMs));
                progress.printf(Locale.ROOT, "%s round %d/%d %s%n", name, round, rounds, side.label());
            }
            figures.add(ofRound);
        }
        List<String> labels = sides.stream().map(TransportSide::label).toList();
        return new TransportTable(labels, SIZES_BYTES, figures).lines(stream);
    }

    private List<TransportSide> sides(boolean stream) {
        TransportSide netty = TransportSide.of("Netty, upstream", upstream);
        TransportSide messages = TransportSide.of("libfabric, msg", eyewall, FABRIC);
        TransportSide datagrams = TransportSide.of("libfabric, rdm", eyewall, FABRIC, RDM);
        TransportSide messagesInC = new FiPingpong("msg", List.of("tcp"));
        if (stream) {
            return List.of(netty, messages, datagrams, messagesInC);
        }
        // In libfabric 1.17 the provider that has them is called net; tcp means a layer over it there.
        TransportSide datagramsInC = new FiPingpong("rdm", List.of("net", "tcp"));
        return List.of(messagesInC, netty, messages, TransportSide.of("libfabric, msg, spin", eyewall, FABRIC, SPIN), datagramsInC,
            datagrams, TransportSide.of("libfabric, rdm, spin", eyewall, FABRIC, RDM, SPIN));
    }
}
