package io.eyewall.web.api;

import io.eyewall.client.security.Redaction;
import java.util.Map;
import org.apache.storm.shade.net.minidev.json.JSONValue;

/** Configurations as Nimbus returns them, without secrets. A Nimbus of Storm's hides fewer than this daemon may show. */
final class Secrets {

    private Secrets() {
    }

    /** The configuration, parsed; empty if it is not a JSON object. */
    static Map<String, Object> mask(String configuration) {
        return JSONValue.parse(configuration) instanceof Map<?, ?> conf ? Redaction.of(conf).mask(conf) : Map.of();
    }
}
