package io.eyewall.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.web.history.TopologyHistory;
import io.eyewall.web.server.Daemon;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UiServerTest {

    @Test
    void shouldListenOnlyWhereItIsTold() throws Exception {
        try (UiServer server = started(Map.of("ui.host", "127.0.0.2", "ui.port", 0))) {
            String address = server.addresses().get(0);
            assertTrue(address.startsWith("http://127.0.0.2:"), address);
            assertEquals(200, get(HttpClient.newHttpClient(), address + "/api/v1/session").statusCode());
            assertThrows(java.net.ConnectException.class,
                () -> get(HttpClient.newHttpClient(), address.replace("127.0.0.2", "127.0.0.3") + "/api/v1/session"));
        }
    }

    @Test
    void shouldSpeakTlsAndThenNoPlainHttp(@TempDir Path directory) throws Exception {
        Path keys = directory.resolve("keys.p12");
        Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias",
            "ui", "-keyalg", "EC", "-dname", "CN=localhost", "-ext", "san=dns:localhost", "-keystore", keys.toString(), "-storepass",
            "changeit", "-storetype", "PKCS12").redirectErrorStream(true).start();
        assertTrue(keytool.waitFor(1, TimeUnit.MINUTES));
        Map<String, Object> tls = Map.of("ui.host", "localhost", "ui.port", 0, "ui.https.port", 0,
            "ui.https.keystore.path", keys.toString(), "ui.https.keystore.password", "changeit", "ui.https.key.password", "changeit",
            "ui.https.keystore.type", "PKCS12");

        try (UiServer server = started(tls)) {
            assertEquals(1, server.addresses().size(), server.addresses()::toString);
            HttpClient trusting = HttpClient.newBuilder().sslContext(trust(keys)).build();
            assertEquals(200, get(trusting, server.addresses().get(0) + "/api/v1/session").statusCode());
        }
        Map<String, Object> both = new HashMap<>(tls);
        both.put("ui.disable.http.binding", false);
        try (UiServer server = started(both)) {
            assertEquals(2, server.addresses().size(), server.addresses()::toString);
        }
    }

    @Test
    void shouldNameTheKeyThatIsWrong() {
        assertEquals("ui.filter: there is no class no.such.Filter. Put its jar into extlib-daemon/.",
            refusal(Map.of("ui.filter", "no.such.Filter")));
        assertEquals("ui.filter: java.lang.String is neither a jakarta.servlet.Filter nor a javax.servlet.Filter.",
            refusal(Map.of("ui.filter", "java.lang.String")));
        assertEquals("ui.https.port is set, but not ui.https.keystore.path: name the key store with the certificate.",
            refusal(Map.of("ui.https.port", 0)));
        assertEquals("ui.port is -1 and ui.https.port is null: set one of them to a port.", refusal(Map.of("ui.port", -1)));
        assertTrue(refusal(Map.of("ui.jsonp.enabled", "perhaps")).startsWith("ui.jsonp.enabled"));
    }

    @Test
    void shouldLetAFilterForJavaxServletSayWhoTheUserIs() throws Exception {
        Map<String, Object> hadoops = Map.of("ui.host", "localhost", "ui.port", 0,
            "ui.filter", "org.apache.hadoop.security.authentication.server.AuthenticationFilter",
            "ui.filter.params", Map.of("type", "simple", "simple.anonymous.allowed", "false"));
        try (UiServer server = started(hadoops)) {
            String session = server.addresses().get(0) + "/api/v1/session";
            HttpClient client = HttpClient.newHttpClient();

            HttpResponse<String> stranger = get(client, session);
            assertEquals(401, stranger.statusCode(), stranger::body);
            HttpResponse<String> named = get(client, session + "?user.name=alice");
            assertEquals(200, named.statusCode(), named::body);
            assertTrue(named.body().contains("alice"), named::body);

            String cookie = named.headers().firstValue("Set-Cookie").orElseThrow().replaceFirst(";.*", "");
            HttpResponse<String> known = withCookie(client, session, cookie);
            assertTrue(known.body().contains("alice"), known::body);
            assertEquals(401, withCookie(client, session, cookie.replace("alice", "mallory")).statusCode());
        }
    }

    private static HttpResponse<String> withCookie(HttpClient client, String address, String cookie) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address)).header("Cookie", cookie).build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void shouldSayThatThePortIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            Daemon.StartException refusal =
                assertThrows(Daemon.StartException.class, () -> started(Map.of("ui.port", taken.getLocalPort())));
            assertTrue(refusal.getMessage().startsWith("cannot serve on [http://0.0.0.0:" + taken.getLocalPort() + "]"),
                refusal::getMessage);
        }
    }

    @Test
    void shouldRefuseHeadersThatAreTooLongWithoutAStackTrace() throws Exception {
        try (UiServer server = started(Map.of("ui.host", "localhost", "ui.port", 0))) {
            HttpResponse<String> response =
                get(HttpClient.newHttpClient(), server.addresses().get(0) + "/api/v1/session?x=" + "y".repeat(9_000));
            assertEquals(414, response.statusCode());
            assertFalse(response.body().contains("\tat "), response.body());
        }
    }

    private static String refusal(Map<String, Object> settings) {
        return assertThrows(IllegalArgumentException.class, () -> started(settings)).getMessage();
    }

    private static UiServer started(Map<String, Object> settings) throws Daemon.StartException {
        Map<String, Object> conf = Utils.readDefaultConfig();
        conf.putAll(settings);
        UiServer server = new UiServer(conf, TopologyHistory.none("No history in this test."), InstantSource.system());
        server.start();
        return server;
    }

    private static HttpResponse<String> get(HttpClient client, String address) throws Exception {
        return client.send(HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static SSLContext trust(Path keys) throws Exception {
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(KeyStore.getInstance(keys.toFile(), "changeit".toCharArray()));
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
