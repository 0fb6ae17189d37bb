package io.eyewall.integration.bench.transport;

import io.eyewall.integration.bench.data.Circumstances;
import io.eyewall.integration.cluster.Ports;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * libfabric's own C program, with a provider and endpoints that Eyewall uses over TCP. It measures only ping-pong, with one message after
 * the other.
 *
 * @param endpoint {@code msg} or {@code rdm}
 * @param providers to be tried, in this order
 */
record FiPingpong(String endpoint, List<String> providers) implements TransportSide {

    private static final String PROGRAM = "fi_pingpong";
    private static final String LIBRARY = "libfabric:";
    private static final int ITERATIONS = 5_000;
    private static final int ATTEMPTS = 50;
    /** Columns: bytes, sent, acknowledged, total, time, MB/s, us per transfer, millions of transfers per second. */
    private static final int MICROSECONDS = 6;

    @Override
    public String label() {
        return "C, " + PROGRAM + ", " + endpoint;
    }

    /** The version of libfabric, as {@code fi_info --version} prints it. */
    @Override
    public String version() throws IOException {
        String output = new String(process("fi_info", "--version").getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return output.lines().filter(line -> line.startsWith(LIBRARY)).map(line -> "libfabric " + line.substring(LIBRARY.length()).strip())
            .findFirst().orElse(Circumstances.UNKNOWN);
    }

    @Override
    public List<double[]> measure(String kind, List<Integer> sizesBytes, long measureMs) throws IOException, InterruptedException {
        List<double[]> figures = new ArrayList<>();
        for (int sizeBytes : sizesBytes) {
            double halfRoundTripUs = measure(sizeBytes);
            figures.add(kind.equals("stream") ? new double[] {1e6 / halfRoundTripUs, Double.NaN} : new double[] {halfRoundTripUs});
        }
        return figures;
    }

    private double measure(int sizeBytes) throws IOException, InterruptedException {
        IOException failure = null;
        for (String provider : providers) {
            try {
                return measure(provider, sizeBytes);
            } catch (IOException e) {
                failure = e;
            }
        }
        throw failure;
    }

    private double measure(String provider, int sizeBytes) throws IOException, InterruptedException {
        String port = Integer.toString(Ports.free());
        Process server = start(provider, sizeBytes, "-B", port);
        try {
            String output = "";
            for (int attempt = 0; attempt < ATTEMPTS && server.isAlive(); attempt++) {
                Process client = start(provider, sizeBytes, "-P", port, "127.0.0.1");
                output = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                if (client.waitFor() == 0) {
                    return microseconds(output, sizeBytes);
                }
                // The server does not listen yet.
                Thread.sleep(20);
            }
            throw new IOException(PROGRAM + " failed: " + output);
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    /** Reads the program's output: a line of titles and one of figures. */
    static double microseconds(String output, int sizeBytes) throws IOException {
        List<String> lines = output.lines().map(String::strip).toList();
        for (int i = 1; i < lines.size(); i++) {
            String[] columns = lines.get(i).split("\\s+", -1);
            if (lines.get(i - 1).contains("usec/xfer") && columns.length > MICROSECONDS) {
                return Double.parseDouble(columns[MICROSECONDS]);
            }
        }
        throw new IOException(PROGRAM + " printed no figures for " + sizeBytes + " bytes: " + output);
    }

    private Process start(String provider, int sizeBytes, String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(PROGRAM, "-p", provider, "-e", endpoint, "-I", Integer.toString(ITERATIONS),
            "-S", Integer.toString(sizeBytes)));
        command.addAll(List.of(more));
        return process(command.toArray(new String[0]));
    }

    private static Process process(String... command) throws IOException {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw new IOException(command[0] + " is missing: install the package libfabric-bin", e);
        }
    }
}
