package io.eyewall.client.settings;

import java.util.HashMap;
import java.util.Map;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.shade.net.minidev.json.JSONObject;
import org.apache.storm.shade.net.minidev.json.JSONValue;

/** The own configuration of a component of a topology, which overrides the topology's. */
public final class OwnConfiguration {

    private OwnConfiguration() {
    }

    /** The values that the component sets itself, by key; empty if it sets none. */
    public static Map<String, Object> of(ComponentCommon component) {
        Map<String, Object> own = new HashMap<>();
        if (component.is_set_json_conf() && JSONValue.parse(component.get_json_conf()) instanceof Map<?, ?> conf) {
            conf.forEach((key, value) -> own.put(String.valueOf(key), value));
        }
        return own;
    }

    /** The configuration of a component: its own values on top of its topology's. */
    public static Map<String, Object> over(Map<String, Object> topologyConf, ComponentCommon component) {
        Map<String, Object> conf = new HashMap<>(topologyConf);
        conf.putAll(of(component));
        return conf;
    }

    /** Replaces the component's own configuration by these values, by key. */
    public static void set(ComponentCommon component, Map<String, Object> own) {
        component.set_json_conf(JSONObject.toJSONString(own));
    }
}
