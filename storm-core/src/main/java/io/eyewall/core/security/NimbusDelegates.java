package io.eyewall.core.security;

import java.util.Map;
import net.bytebuddy.asm.MemberSubstitution;
import org.apache.storm.generated.StormTopology;

/** What upstream's Nimbus calls, by weaving, on the thread that serves a client or cleans up. */
public final class NimbusDelegates {

    private static final String CONF = "conf";

    private NimbusDelegates() {
    }

    /** In place of {@code JSONValue.toJSONString} where a configuration is returned. */
    public static String json(@MemberSubstitution.Argument(0) Object conf,
            @MemberSubstitution.FieldValue(CONF) Map<String, Object> nimbusConf) {
        return ServedConfigurations.json(conf, nimbusConf);
    }

    /** Before a topology is returned. */
    public static StormTopology served(StormTopology topology, Map<String, Object> nimbusConf) {
        return ServedConfigurations.topology(topology, nimbusConf);
    }
}
