package io.eyewall.core.security;

import io.eyewall.client.security.Redaction;
import io.eyewall.client.security.SecurityConfiguration;
import io.eyewall.client.settings.Components;
import io.eyewall.client.settings.OwnConfiguration;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.StateSpoutSpec;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.shade.net.minidev.json.JSONValue;

/**
 * Configurations as Nimbus returns them: without secrets, which upstream returns to whoever may read a topology or the cluster's
 * configuration (CVE-2026-82433, CVE-2026-84179, CVE-2026-82434). Workers and Supervisors do not ask Nimbus, they read blobs.
 */
final class ServedConfigurations {

    private ServedConfigurations() {
    }

    /** A configuration as JSON. Further keys count that it declares itself, and those of Nimbus. */
    static String json(Object conf, Map<String, Object> nimbusConf) {
        if (conf instanceof Map<?, ?> map && !new SecurityConfiguration(nimbusConf).areSecretsServed()) {
            return JSONValue.toJSONString(Redaction.of(nimbusConf).and(map).mask(map));
        }
        return JSONValue.toJSONString(conf);
    }

    /** A topology, whose components may have secrets in configurations of their own; a copy, since Nimbus keeps it. */
    static StormTopology topology(StormTopology topology, Map<String, Object> nimbusConf) {
        if (topology == null || new SecurityConfiguration(nimbusConf).areSecretsServed()) {
            return topology;
        }
        Redaction redaction = Redaction.of(nimbusConf);
        StormTopology served = topology.deepCopy();
        Stream.concat(Components.of(served).values().stream(), served.get_state_spouts().values().stream().map(StateSpoutSpec::get_common))
            .filter(ComponentCommon::is_set_json_conf)
            .forEach(common -> OwnConfiguration.set(common, redaction.mask(OwnConfiguration.of(common))));
        return served;
    }
}
