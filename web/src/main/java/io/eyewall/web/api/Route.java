package io.eyewall.web.api;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One address of the API.
 *
 * @param methods those that it accepts
 * @param pattern its path below {@code /api/v1/}, with names in braces for what varies; {@code {id}} is a topology
 * @param operation what {@code nimbus.authorizer} is asked about, by the name that Nimbus has for it; empty if everybody may
 * @param action whether it changes something, so that a page of another site must not make a browser ask for it
 * @param kept whether this daemon knows the content by itself, so that Nimbus is asked only if somebody decides who may see it
 * @param description what it does
 */
record Route(Set<String> methods, String pattern, String operation, boolean action, boolean kept, Description description,
        Handler handler) {

    private static final String TOPOLOGY = "{id}";

    /** An address that only shows something. */
    static Route show(String pattern, String operation, Description description, Handler handler) {
        return new Route(Set.of("GET"), pattern, operation, false, false, description, handler);
    }

    /** An address that shows what this daemon knows by itself: its handler gets no Nimbus. */
    static Route showKept(String pattern, String operation, Description description, Handler handler) {
        return new Route(Set.of("GET"), pattern, operation, false, true, description, handler);
    }

    /** An address that changes something. */
    static Route change(String pattern, String operation, Description description, Handler handler) {
        return new Route(Set.of("POST"), pattern, operation, true, false, description, handler);
    }

    /** An address that changes something, and for which scripts also use GET, as upstream's releases before 2.8.7 have it. */
    static Route changeWithGet(String pattern, String operation, Description description, Handler handler) {
        return new Route(Set.of("GET", "POST"), pattern, operation, true, false, description, handler);
    }

    /** What varies in this address, by name, if the path below {@code /api/v1/} belongs to it. */
    Optional<Map<String, String>> match(List<String> segments) {
        List<String> expected = Arrays.asList(pattern.split("/", -1));
        if (expected.size() != segments.size()) {
            return Optional.empty();
        }
        Map<String, String> found = new LinkedHashMap<>();
        for (int i = 0; i < segments.size(); i++) {
            String part = expected.get(i);
            if (part.startsWith("{")) {
                found.put(part.substring(1, part.length() - 1), segments.get(i));
            } else if (!part.equals(segments.get(i))) {
                return Optional.empty();
            }
        }
        return Optional.of(found);
    }

    /** Whether an answer may stand for all who ask for the same with the same rights. */
    boolean shareable() {
        return !action && !operation.isEmpty() && !pattern.endsWith("/events");
    }

    /** Whether it is about one topology, whose configuration decides who may use it. */
    boolean ofTopology() {
        return pattern.startsWith("topology/" + TOPOLOGY) || pattern.startsWith("topology-workers/");
    }
}
