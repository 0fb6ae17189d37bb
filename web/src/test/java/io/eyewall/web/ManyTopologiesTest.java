package io.eyewall.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eyewall.web.history.TopologyHistory;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

class ManyTopologiesTest {

    private static final int TOPOLOGIES = 1_000;

    @Test
    void shouldShowAThousandTopologies() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
        conf.putAll(Map.of("nimbus.seeds", List.of("localhost"), "nimbus.thrift.port", port, "ui.host", "localhost", "ui.port", 0));
        UiServer server = new UiServer(conf, TopologyHistory.none("Not in this test."), InstantSource.system());
        try (ManyTopologies nimbus = new ManyTopologies(port, TOPOLOGIES)) {
            server.start();
            JsonNode all = get(server, "");
            assertEquals(TOPOLOGIES, all.get("topologies").size());
            JsonNode part = get(server, "?page=2&size=300&sort=-name");
            assertEquals(300, part.get("topologies").size());
            assertEquals(TOPOLOGIES, part.get("total").asInt());
            assertEquals(all.get("schedulerDisplayResource"), part.get("schedulerDisplayResource"));
        } finally {
            server.close();
        }
    }

    private static JsonNode get(UiServer server, String query) throws Exception {
        HttpResponse<String> response = HttpClient.newHttpClient().send(
            HttpRequest.newBuilder(URI.create(server.addresses().get(0) + "/api/v1/topology/summary" + query)).build(),
            HttpResponse.BodyHandlers.ofString());
        assertEquals(200, response.statusCode(), response.body());
        return new ObjectMapper().readTree(response.body());
    }
}
