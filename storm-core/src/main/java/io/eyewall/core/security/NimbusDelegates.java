package io.eyewall.core.security;

import io.eyewall.client.security.SchedulingStrategies;
import java.nio.file.Path;
import java.util.Map;
import net.bytebuddy.asm.MemberSubstitution;
import org.apache.storm.Config;
import org.apache.storm.blobstore.BlobStore;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.ServerConfigUtils;
import org.apache.storm.utils.ServerUtils;
import org.apache.storm.utils.Utils;
import org.apache.storm.utils.WrappedInvalidTopologyException;

/** What upstream's Nimbus calls, by weaving, on the thread that serves a client or cleans up. */
public final class NimbusDelegates {

    private static final String CONF = "conf";

    private NimbusDelegates() {
    }

    /**
     * In place of {@code Utils.validateTopologyBlobStoreMap} in {@code submitTopologyWithOpts}, which calls it after it has checked that
     * the caller may submit.
     */
    public static void submitting(@MemberSubstitution.Argument(0) Map<String, Object> topologyConf,
            @MemberSubstitution.Argument(1) BlobStore blobs,
            @MemberSubstitution.Argument(value = 1, source = MemberSubstitution.Source.ENCLOSING_METHOD) String jar,
            @MemberSubstitution.FieldValue(CONF) Map<String, Object> nimbusConf) throws TException {
        if (jar != null) {
            UploadedJar.check(jar, Path.of(ServerConfigUtils.masterInbox(nimbusConf)));
        }
        checkConf(topologyConf, blobs, nimbusConf);
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

    private static void checkConf(Map<String, Object> topologyConf, BlobStore blobs, Map<String, Object> nimbusConf) throws TException {
        LocalNames.check(topologyConf.get(Config.TOPOLOGY_BLOBSTORE_MAP));
        Utils.validateTopologyBlobStoreMap(topologyConf, blobs);
        String refusal = SchedulingStrategies.refusal(nimbusConf, topologyConf.get(Config.TOPOLOGY_SCHEDULER_STRATEGY));
        if (refusal != null && ServerUtils.isRas(nimbusConf)) {
            throw new WrappedInvalidTopologyException(refusal);
        }
    }
}
