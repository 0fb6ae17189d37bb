package io.eyewall.web.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eyewall.web.history.TopologyHistory;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

class OpenApiTest {

    private static final List<Route> ROUTES = new ApiServlet(Utils.readDefaultConfig(), false,
        TopologyHistory.none("No history in this test."), InstantSource.system()).routes();

    private final JsonNode description = new ObjectMapper().valueToTree(OpenApi.of(ROUTES));

    @Test
    void shouldHaveEveryRouteAndMethodAndNoOther() {
        Set<String> expected = new TreeSet<>();
        ROUTES.forEach(route -> route.methods()
            .forEach(method -> expected.add("/" + route.pattern() + " " + method.toLowerCase(Locale.ROOT))));
        Set<String> described = new TreeSet<>();
        description.get("paths").properties()
            .forEach(path -> path.getValue().fieldNames().forEachRemaining(method -> described.add(path.getKey() + " " + method)));

        assertEquals(expected, described);
    }

    @Test
    void shouldDescribeEveryVariableAndNameEachOperationOnce() {
        Set<String> names = new HashSet<>();
        description.get("paths").properties().forEach(path -> path.getValue().forEach(operation -> {
            List<String> inPath = new ArrayList<>();
            for (JsonNode parameter : operation.get("parameters")) {
                assertFalse(parameter.get("description").asText().isEmpty());
                assertTrue(parameter.get("schema").has("type"));
                assertEquals(parameter.get("in").asText().equals("path"), parameter.get("required").asBoolean());
                if (parameter.get("required").asBoolean()) {
                    inPath.add("{" + parameter.get("name").asText() + "}");
                }
            }
            assertEquals(List.of(path.getKey().split("/")).stream().filter(part -> part.startsWith("{")).toList(), inPath, path.getKey());
            assertTrue(operation.get("summary").asText().endsWith("."), path.getKey());
            assertTrue(names.add(operation.get("operationId").asText()), path.getKey());
        }));
    }

    @Test
    void shouldSayWhatAnErrorIsAndWhichBodiesThereAre() {
        JsonNode rebalance = description.get("paths").get("/topology/{id}/rebalance/{wait}").get("post");
        JsonNode example = rebalance.get("requestBody").get("content").get("application/json").get("example");

        assertEquals(2, example.get("rebalanceOptions").get("numWorkers").asInt());
        assertEquals("#/components/schemas/Error",
            rebalance.get("responses").get("default").get("content").get("application/json").get("schema").get("$ref").asText());
        assertTrue(description.get("components").get("schemas").has("Error"));
        assertEquals("/api/v1", description.get("servers").get(0).get("url").asText());
        assertFalse(description.get("paths").get("/topology/{id}/kill/{wait}").get("post").has("requestBody"));
    }

    @Test
    void shouldRefuseARouteWithAParameterThatNobodyDescribes() {
        Route route = Route.show("topology/{id}", "getTopology", Description.of("Shows it.", "colour"), (nimbus, asked) -> "");

        assertEquals("A route has the parameter colour, which the description of the API does not know.",
            assertThrows(IllegalStateException.class, () -> OpenApi.of(List.of(route))).getMessage());
    }
}
