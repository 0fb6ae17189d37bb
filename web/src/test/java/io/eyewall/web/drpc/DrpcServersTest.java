package io.eyewall.web.drpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.eyewall.web.api.RunningUi;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.storm.drpc.DRPCInvocationsClient;
import org.apache.storm.generated.DRPCRequest;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.utils.Utils;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls over HTTP, with a worker that fetches them and returns results over Thrift as a topology's does. */
class DrpcServersTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private Map<String, Object> conf;
    private DrpcServers servers;
    private String address;
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        servers.close();
    }

    @Test
    void shouldHandACallToAWorkerAndItsResultToTheClient() throws Exception {
        start(Map.of());
        Map<HttpRequest, String> arguments = Map.of(
            post("exclaim", "über uns", "Content-Type", "application/x-www-form-urlencoded"), "über uns",
            get("exclaim/a%20b"), "a b", get("exclaim/a/b%2Fc"), "a/b/c", get("exclaim"), "", post("exclaim/", ""), "",
            get("exclaim/a/"), "a/");
        for (Map.Entry<HttpRequest, String> call : arguments.entrySet()) {
            CompletableFuture<HttpResponse<String>> result = call(call.getKey());
            try (DRPCInvocationsClient worker = worker()) {
                DRPCRequest request = fetch(worker, "exclaim");
                assertEquals(call.getValue(), request.get_func_args());
                worker.result(request.get_request_id(), request.get_func_args() + "! ü");
            }
            HttpResponse<String> response = result.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            assertEquals(200, response.statusCode());
            assertEquals(call.getValue() + "! ü", response.body());
            assertEquals("text/plain;charset=utf-8", response.headers().firstValue("Content-Type").orElse(""));
        }
    }

    @Test
    void shouldAcceptArgumentsWhenTheyMayBeAsLongAsANumberCanSay() throws Exception {
        start(Map.of("drpc.max_buffer_size", Integer.MAX_VALUE, "drpc.request.timeout.secs", 1));
        assertEquals(504, call(post("exclaim", "x")).join().statusCode());
    }

    @Test
    void shouldFailTheCallWhenTheWorkerDoes() throws Exception {
        start(Map.of());
        CompletableFuture<HttpResponse<String>> result = call(get("exclaim/x"));
        try (DRPCInvocationsClient worker = worker()) {
            worker.failRequest(fetch(worker, "exclaim").get_request_id());
        }
        assertError(400, "Request failed", result.join());
    }

    @Test
    void shouldFailTheCallWhenNobodyAnswersInTime() throws Exception {
        start(Map.of("drpc.request.timeout.secs", 1));
        assertError(504, "Timed Out", call(get("nobody/x")).join());
    }

    @Test
    void shouldFailCallsUnderWayWhenItCloses() throws Exception {
        start(Map.of());
        CompletableFuture<HttpResponse<String>> result = call(get("exclaim/x"));
        try (DRPCInvocationsClient worker = worker()) {
            fetch(worker, "exclaim");
        }
        servers.close();
        assertError(503, "Server Shutting Down", result.join());
    }

    @Test
    void shouldSayWhatIsWrong() throws Exception {
        start(Map.of("drpc.max_buffer_size", 1_000));
        assertError(400, "Which function?", call(get("")).join());
        assertError(400, "its body", call(post("exclaim/x", "y")).join());
        assertError(413, "more than 1000 bytes", call(post("exclaim", "x".repeat(1_001))).join());
        assertError(400, "at most 256", call(get("x".repeat(257))).join());
        assertEquals(405, client.send(HttpRequest.newBuilder(URI.create(address + "/drpc/exclaim")).DELETE().build(),
            HttpResponse.BodyHandlers.ofString()).statusCode());
    }

    @Test
    void shouldLetNoPageOfAnotherSiteCall() throws Exception {
        start(Map.of());
        for (List<String> header : List.of(List.of("Origin", "http://evil.example"), List.of("Origin", "null"),
            List.of("Sec-Fetch-Site", "cross-site"), List.of("Sec-Fetch-Site", "same-site"))) {
            assertError(403, "other sites", call(post("exclaim", "x", header.get(0), header.get(1))).join());
        }
    }

    @Test
    void shouldLetNoPageCallThatAnotherSitesNameLeadsTo() throws Exception {
        start(Map.of("drpc.request.timeout.secs", 1, "drpc.servers", List.of("Drpc.example")));
        for (String host : List.of("evil.example", "127.0.0.1.evil.example", "localhost.evil.example")) {
            assertEquals("403", status(host, "Origin: http://" + host + ":" + port()), host);
        }
        for (String host : List.of("drpc.example", "localhost", "127.0.0.1", "[::1]")) {
            assertEquals("504", status(host, "Origin: http://" + host + ":" + port()), host);
        }
        assertEquals("504", status("evil.example", "X-Of-No-Browser: yes"));
    }

    private int port() {
        return URI.create(address).getPort();
    }

    /** Of a call with a Host that the JDK's client would not send. */
    private String status(String host, String header) throws IOException {
        try (Socket socket = new Socket("localhost", port())) {
            socket.getOutputStream().write(("GET /drpc/exclaim/x HTTP/1.1\r\nHost: " + host + ":" + port() + "\r\n" + header
                + "\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8).split(" ", 3)[1];
        }
    }

    @Test
    void shouldLetNoPageOfAnotherSiteCallWithAGetOverPlainHttp() throws Exception {
        start(Map.of("drpc.request.timeout.secs", 1));
        // What browsers send over plain HTTP, where there is no Sec-Fetch-Site: a page can leave the Referer out, and not the language.
        assertError(403, "other sites", call(get("exclaim/x", "Accept-Language", "de")).join());
        assertError(403, "other sites", call(get("exclaim/x", "Accept-Language", "de", "Referer", "http://evil.example/")).join());
        assertError(403, "other sites", call(get("exclaim/x", "Referer", address + ".evil.example/")).join());
        assertError(403, "other sites",
            call(get("exclaim/x", "Sec-Fetch-Site", "cross-site", "Referer", address + "/page")).join());
        // Allowed, and nobody answers.
        for (List<String> own : List.of(List.of("Referer", address + "/page"), List.of("Origin", address),
            List.of("Sec-Fetch-Site", "none"), List.of("Sec-Fetch-Site", "same-origin"))) {
            assertEquals(504, call(get("exclaim/x", "Accept-Language", "de", own.get(0), own.get(1))).join().statusCode(), own.toString());
        }
    }

    @Test
    void shouldLetWaitOnlySoManyCalls() throws Exception {
        start(Map.of("drpc.worker.threads", 2));
        AtomicReference<HttpResponse<String>> refused = new AtomicReference<>();
        for (int number = 0; number < 3; number++) {
            CompletableFuture<Void> answered = call(get("slow/" + number)).thenAccept(response -> refused.compareAndSet(null, response));
            assertFalse(answered.isCompletedExceptionally());
        }
        Awaitility.await().atMost(TIMEOUT).until(() -> refused.get() != null);
        assertError(503, "drpc.worker.threads", refused.get());
    }

    @Test
    void shouldAuthorizeAsOverThrift(@TempDir Path directory) throws Exception {
        Files.writeString(directory.resolve("acl.yaml"),
            "drpc.authorizer.acl:\n  exclaim:\n    client.users: [bert]\n    invocation.user: worker\n");
        start(Map.of("drpc.http.filter", RunningUi.UserFilter.class.getName(),
            "drpc.authorizer", "org.apache.storm.security.auth.authorizer.DRPCSimpleACLAuthorizer",
            "drpc.authorizer.acl.strict", true, "drpc.authorizer.acl.filename", directory.resolve("acl.yaml").toString(),
            "drpc.request.timeout.secs", 1));
        assertEquals(403, call(get("exclaim/x")).join().statusCode());
        assertEquals(403, call(get("exclaim/x", "X-Test-User", "zoe")).join().statusCode());
        assertEquals(403, call(get("other/x", "X-Test-User", "bert")).join().statusCode());
        assertError(403, "may not act for 'bert'", call(get("exclaim/x", "X-Test-User", "zoe", "doAsUser", "bert")).join());
        assertError(403, "may not act for 'bert'", call(get("exclaim/x?doAsUser=bert", "X-Test-User", "zoe")).join());
        // Allowed, but nobody answers.
        assertEquals(504, call(get("exclaim/x", "X-Test-User", "bert")).join().statusCode());
    }

    @Test
    void shouldServeNoHttpWithoutAPort() throws Exception {
        start(Map.of("drpc.http.port", -1));
        assertEquals(List.of(), servers.addresses());
    }

    private void start(Map<String, Object> settings) throws Exception {
        conf = new HashMap<>(Utils.readDefaultConfig());
        conf.putAll(Map.of("drpc.port", free(), "drpc.invocations.port", free(), "drpc.http.port", 0, "drpc.http.host", "localhost",
            "drpc.request.timeout.secs", 20));
        conf.putAll(settings);
        servers = new DrpcServers(conf, new StormMetricsRegistry());
        servers.start();
        address = servers.addresses().isEmpty() ? null : servers.addresses().get(0);
    }

    private static void assertError(int status, String message, HttpResponse<String> response) throws IOException {
        assertEquals(status, response.statusCode(), response.body());
        assertTrue(JSON.readTree(response.body()).get("errorMessage").asText().contains(message), response.body());
    }

    private HttpRequest get(String path, String... headers) {
        return headers(HttpRequest.newBuilder(URI.create(address + "/drpc/" + path)), headers);
    }

    private HttpRequest post(String path, String body, String... headers) {
        return headers(HttpRequest.newBuilder(URI.create(address + "/drpc/" + path))
            .POST(HttpRequest.BodyPublishers.ofString(body)), headers);
    }

    private static HttpRequest headers(HttpRequest.Builder request, String... headers) {
        return headers.length == 0 ? request.build() : request.headers(headers).build();
    }

    private CompletableFuture<HttpResponse<String>> call(HttpRequest request) {
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofString());
    }

    private DRPCInvocationsClient worker() throws Exception {
        int port = (Integer) conf.get("drpc.invocations.port");
        return Awaitility.await().atMost(TIMEOUT).ignoreExceptions()
            .until(() -> new DRPCInvocationsClient(conf, "localhost", port), opened -> true);
    }

    /** Asks until there is a call: an empty request id means none. */
    private static DRPCRequest fetch(DRPCInvocationsClient worker, String function) {
        return Awaitility.await().atMost(TIMEOUT).ignoreExceptions()
            .until(() -> worker.fetchRequest(function), request -> !request.get_request_id().isEmpty());
    }

    private static int free() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
