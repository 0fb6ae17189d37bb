package io.eyewall.web.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;

/**
 * What a route does, for people and for tools that make clients.
 *
 * @param summary one line
 * @param query the parameters behind the question mark, by names that {@link OpenApi} knows
 * @param body what the body may be, for example; null if the address takes none
 */
record Description(String summary, List<String> query, JsonNode body) {

    /** An address without a body. */
    static Description of(String summary, String... query) {
        return new Description(summary, List.of(query), null);
    }

    /** The same with a body. */
    Description withBody(String example) {
        try {
            return new Description(summary, query, new ObjectMapper().readTree(example));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("This is not JSON: " + example, e);
        }
    }
}
