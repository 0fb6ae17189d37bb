package io.eyewall.core.drpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.storm.drpc.DRPCInvocationsClient;
import org.apache.storm.generated.DRPCExecutionException;
import org.apache.storm.generated.DRPCRequest;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.DRPCClient;
import org.apache.storm.utils.Utils;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DrpcDaemonTest {

    private static final String HOST = "localhost";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private Map<String, Object> configuration;
    private int clientPort;
    private int workerPort;
    private DrpcDaemon daemon;

    @BeforeEach
    void start() throws IOException {
        try (ServerSocket one = new ServerSocket(0); ServerSocket other = new ServerSocket(0)) {
            clientPort = one.getLocalPort();
            workerPort = other.getLocalPort();
        }
        configuration = Utils.readDefaultConfig();
        configuration.put("drpc.port", clientPort);
        configuration.put("drpc.invocations.port", workerPort);
        configuration.put("drpc.request.timeout.secs", 20);
        daemon = new DrpcDaemon(configuration, new StormMetricsRegistry());
        daemon.start();
        Awaitility.await().atMost(TIMEOUT).until(() -> listens(clientPort) && listens(workerPort));
    }

    @AfterEach
    void close() {
        daemon.close();
    }

    @Test
    void shouldHandACallToAWorkerAndItsResultToTheClient() throws Exception {
        CompletableFuture<String> result = call("exclaim", "storm");
        try (DRPCInvocationsClient worker = new DRPCInvocationsClient(configuration, HOST, workerPort)) {
            DRPCRequest request = fetch(worker, "exclaim");
            assertEquals("storm", request.get_func_args());
            worker.result(request.get_request_id(), "storm!");
        }
        assertEquals("storm!", result.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS));
    }

    @Test
    void shouldFailTheCallWhenTheWorkerDoes() throws Exception {
        CompletableFuture<String> result = call("exclaim", "storm");
        try (DRPCInvocationsClient worker = new DRPCInvocationsClient(configuration, HOST, workerPort)) {
            worker.failRequest(fetch(worker, "exclaim").get_request_id());
        }
        CompletionException failure = assertThrows(CompletionException.class, result::join);
        assertEquals(DRPCExecutionException.class, failure.getCause().getClass());
    }

    @Test
    void shouldFailCallsUnderWayWhenItCloses() throws Exception {
        CompletableFuture<String> result = call("exclaim", "storm");
        try (DRPCInvocationsClient worker = new DRPCInvocationsClient(configuration, HOST, workerPort)) {
            fetch(worker, "exclaim");
        }
        daemon.close();
        assertThrows(CompletionException.class, result::join);
    }

    private CompletableFuture<String> call(String function, String argument) {
        return CompletableFuture.supplyAsync(() -> {
            try (DRPCClient client = new DRPCClient(configuration, HOST, clientPort)) {
                return client.execute(function, argument);
            } catch (TException e) {
                throw new CompletionException(e);
            }
        });
    }

    /** Asks until there is a call: an empty request id means none. */
    private static DRPCRequest fetch(DRPCInvocationsClient worker, String function) {
        return Awaitility.await().atMost(TIMEOUT)
            .until(() -> worker.fetchRequest(function), request -> !request.get_request_id().isEmpty());
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(HOST, port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }
}
