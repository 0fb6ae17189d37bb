package io.eyewall.integration.bench.transport;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Two processes of {@link TransportProbe}.
 *
 * @param label its name in the table
 * @param version of the installation
 * @param classPath a worker's libraries, and this class
 * @param settings configuration keys, each {@code key=value}
 */
record ProbePair(String label, String version, String classPath, List<String> settings) implements TransportSide {

    @Override
    public List<double[]> measure(String kind, List<Integer> sizesBytes, long measureMs) throws IOException, InterruptedException {
        Process server = start(List.of("serve"));
        try (BufferedReader serverOutput = server.inputReader(StandardCharsets.UTF_8)) {
            String port = await(serverOutput, TransportProbe.PORT).substring(TransportProbe.PORT.length());
            String sizes = sizesBytes.stream().map(String::valueOf).collect(Collectors.joining(","));
            Process client = start(List.of(kind, port, Long.toString(measureMs), sizes));
            try (BufferedReader clientOutput = client.inputReader(StandardCharsets.UTF_8)) {
                List<double[]> figures = new ArrayList<>();
                for (int sizeBytes : sizesBytes) {
                    String[] line = await(clientOutput, sizeBytes + " ").split(" ", -1);
                    figures.add(new double[] {Double.parseDouble(line[1]), Double.parseDouble(line[2])});
                }
                return figures;
            } finally {
                client.destroyForcibly().waitFor();
            }
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    private Process start(List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx1g",
            "-Dlog4j2.level=warn", "-cp", classPath, TransportProbe.class.getName()));
        command.addAll(arguments);
        command.addAll(settings);
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    /** The first line that starts with {@code start}; lines before it are log output of libraries. */
    private String await(BufferedReader output, String start) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(start)) {
                return line;
            }
        }
        throw new IOException("A process of " + label + " ended before it printed '" + start + "': see its standard error above");
    }
}
