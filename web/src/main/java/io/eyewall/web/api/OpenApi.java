package io.eyewall.web.api;

import io.eyewall.web.history.Metric;
import io.eyewall.web.json.Values;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A description of all routes in the form of OpenAPI 3.0, from which tools make clients and pages. Pure. */
final class OpenApi {

    private static final Pattern VARIABLE = Pattern.compile("\\{(\\w+)}");
    private static final String JSON = "application/json";

    private static final Map<String, Object> TEXT = Map.of("type", "string");
    private static final Map<String, Object> NUMBER = Map.of("type", "integer");

    /** What varies in addresses, by the name that routes have for it. */
    private static final Map<String, Map<String, Object>> PATH = new TreeMap<>(Map.of(
        "id", parameter("The id of a topology, not its name.", TEXT),
        "component", parameter("The id of a spout or bolt.", TEXT),
        "owner", parameter("The user who has submitted topologies.", TEXT),
        "worker", parameter("A worker as HOST:PORT.", TEXT),
        "request", parameter("The requestId of a request for a plan.", TEXT),
        "wait", parameter("Seconds from now on.", NUMBER),
        "minutes", parameter("When the profile ends by itself.", NUMBER),
        "percent", parameter("The share of the tuples, from 0 to 100.", NUMBER),
        "state", parameter("On or off.", Map.of("type", "string", "enum", List.of("enable", "disable")))));

    private static final Map<String, Map<String, Object>> QUERY = both(Map.of(
        "window", parameter("The time that figures are about, in seconds.", Map.of("type", "string", "enum", Values.WINDOWS,
            "default", Values.ALL_TIME)),
        "sys", parameter("Whether Storm's own components and streams count.",
            Map.of("type", "integer", "enum", List.of(0, 1), "default", 0)),
        "id", parameter("The id of a Supervisor.", TEXT),
        "host", parameter("A host whose Supervisors are shown.", TEXT),
        "component", parameter("One component in the place of the whole topology.", TEXT),
        "worker", parameter("One worker, HOST:PORT, in the place of the whole topology.", TEXT),
        "metric", parameter("One metric in the place of all.", Map.of("type", "string", "enum", Metric.titles())),
        "stats", parameter("The figures of each component's executors one by one, or their sums.",
            Map.of("type", "string", "enum", List.of("executors", "sum"), "default", "executors")),
        "from", parameter("Seconds since 1970, or a negative number: seconds before to.", NUMBER),
        "to", parameter("Seconds since 1970; now by default.", NUMBER)), Map.of(
        "page", parameter("Which part of the list, from 1 on.", NUMBER),
        "size", parameter("How many rows a part has, up to 1000; 20 by default.", NUMBER),
        "sort", parameter("The field that rows are sorted by, with a minus before it to begin with the last.", TEXT),
        "filter", parameter("A text that a row must have in one of its fields.", TEXT)));

    private OpenApi() {
    }

    private static Map<String, Map<String, Object>> both(Map<String, Map<String, Object>> some, Map<String, Map<String, Object>> others) {
        Map<String, Map<String, Object>> all = new TreeMap<>(some);
        all.putAll(others);
        return all;
    }

    /** The description. */
    static Map<String, Object> of(List<Route> routes) {
        Map<String, Map<String, Object>> paths = new LinkedHashMap<>();
        for (Route route : routes) {
            for (String method : route.methods()) {
                paths.computeIfAbsent("/" + route.pattern(), path -> new TreeMap<>())
                    .put(method.toLowerCase(Locale.ROOT), operation(route, method));
            }
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("openapi", "3.0.3");
        json.put("info", Map.of("title", "Storm's REST API", "version", "v1",
            "description", "The addresses of Storm 2.8's UI, and what Eyewall has beyond them."));
        json.put("servers", List.of(Map.of("url", ApiServlet.ROOT.replaceFirst("/$", ""))));
        json.put("paths", paths);
        json.put("components", Map.of("schemas", Map.of("Error", Map.of("type", "object", "properties",
            Map.of("error", TEXT, "errorMessage", TEXT), "required", List.of("error", "errorMessage")))));
        return json;
    }

    private static Map<String, Object> operation(Route route, String method) {
        List<Map<String, Object>> parameters = new ArrayList<>();
        for (MatchResult variable : VARIABLE.matcher(route.pattern()).results().toList()) {
            parameters.add(named(variable.group(1), "path", PATH));
        }
        for (String name : route.description().query()) {
            parameters.add(named(name, "query", QUERY));
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("summary", route.description().summary());
        json.put("operationId", method.toLowerCase(Locale.ROOT) + "-" + route.pattern().replaceAll("[^\\w-]+", "-").replaceAll("-$", ""));
        json.put("parameters", parameters);
        if (route.description().body() != null) {
            json.put("requestBody", Map.of("content", Map.of(JSON, Map.of("schema", Map.of("type", "object"),
                "example", route.description().body()))));
        }
        json.put("responses", Map.of(
            "200", Map.of("description", "What was asked for.", "content", Map.of(JSON, Map.of("schema", Map.of("type", "object")))),
            "default", Map.of("description", "An error.", "content", Map.of(JSON,
                Map.of("schema", Map.of("$ref", "#/components/schemas/Error"))))));
        if (!route.operation().isEmpty()) {
            // What nimbus.authorizer is asked about.
            json.put("x-storm-operation", route.operation());
        }
        return json;
    }

    private static Map<String, Object> named(String name, String in, Map<String, Map<String, Object>> known) {
        if (!known.containsKey(name)) {
            throw new IllegalStateException("A route has the parameter " + name + ", which the description of the API does not know.");
        }
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", name);
        json.put("in", in);
        json.put("required", in.equals("path"));
        json.putAll(known.get(name));
        return json;
    }

    private static Map<String, Object> parameter(String description, Map<String, Object> schema) {
        return Map.of("description", description, "schema", schema);
    }
}
