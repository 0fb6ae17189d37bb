package io.eyewall.transport.fabric;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IContext;

/** A receiver in another process, which prints how many messages it has received. */
final class PeerProcess implements AutoCloseable {

    private static final String READY = "ready on port ";
    private static final String RECEIVED = "received ";

    private final Process process;
    private final BufferedReader output;

    private PeerProcess(Process process) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts the process. Port 0 stands for any free port. */
    static PeerProcess start(Transport transport, String topologyId, int port) throws IOException {
        return new PeerProcess(new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-Xmx128m", "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"), PeerProcess.class.getName(), transport.name(), topologyId,
            Integer.toString(port)).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    int awaitPort() throws IOException {
        return awaitNumber(READY);
    }

    int awaitMessages() throws IOException {
        return awaitNumber(RECEIVED);
    }

    /** Kills the process, as {@code kill -9}. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }

    private int awaitNumber(String before) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(before)) {
                return Integer.parseInt(line.substring(before.length()));
            }
        }
        throw new IOException("The other process ended before it printed '" + before + "'");
    }

    /** Receives until it is killed. */
    public static void main(String[] arguments) throws InterruptedException {
        IContext context = Transport.valueOf(arguments[0]).context(Map.of());
        IConnection server = context.bind(arguments[1], Integer.parseInt(arguments[2]),
            messages -> System.out.println(RECEIVED + messages.size()), null);
        System.out.println(READY + server.getPort());
        Thread.currentThread().join();
    }
}
