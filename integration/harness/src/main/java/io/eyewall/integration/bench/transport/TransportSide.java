package io.eyewall.integration.bench.transport;

import io.eyewall.integration.cluster.StormHome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** One of the ways to carry messages that are compared. */
interface TransportSide {

    /** Its name in the table. */
    String label();

    /** The version of the transport. */
    String version() throws IOException;

    /**
     * Measures all sizes once. Returns the figures of each size: for {@code ping-pong} half the round trip in microseconds, median and 99th
     * percentile (or the mean alone), for {@code stream} messages per second and CPU microseconds of both ends per message
     * (not a number where that is not measured).
     */
    List<double[]> measure(String kind, List<Integer> sizesBytes, long measureMs) throws IOException, InterruptedException;

    /** Storm's messaging of an installation. */
    static TransportSide of(String label, StormHome home, String version, String... settings) {
        return new ProbePair(label, version, home.clientClassPath(
            Path.of(TransportProbe.class.getProtectionDomain().getCodeSource().getLocation().getPath())), List.of(settings));
    }
}
