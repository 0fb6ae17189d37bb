package io.eyewall.scheduler.henge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WorkerPageReaderTest {

    private static final byte[] TEXT = "eyewall-host 1 0.5\n".getBytes(StandardCharsets.UTF_8);

    private HttpServer server;

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/host", exchange -> {
            exchange.sendResponseHeaders(200, TEXT.length);
            exchange.getResponseBody().write(TEXT);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    @Test
    void shouldReadThePagesThatThereAre() throws IOException {
        int port = server.getAddress().getPort();
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            URI host = WorkerPageReader.uri("127.0.0.1", port, "/host");
            Set<URI> pages = Set.of(host, WorkerPageReader.uri("127.0.0.1", port, "/none"),
                WorkerPageReader.uri("127.0.0.1", silent.getLocalPort(), "/host"));

            assertEquals(Map.of(host, "eyewall-host 1 0.5\n"), WorkerPageReader.overHttp().read(pages));
        }
    }

    @Test
    void shouldPutAnAddressOfVersionSixIntoBrackets() {
        assertEquals("http://[::1]:16700/host", WorkerPageReader.uri("::1", 16_700, "/host").toString());
    }
}
