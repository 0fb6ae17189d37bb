package io.eyewall.scheduler.cluster;

import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.security.auth.Subject;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.blobstore.BlobStoreAclHandler;
import org.apache.storm.daemon.StormCommon;
import org.apache.storm.generated.AccessControl;
import org.apache.storm.generated.AccessControlType;
import org.apache.storm.security.auth.IAuthorizer;
import org.apache.storm.security.auth.NimbusPrincipal;
import org.apache.storm.security.auth.ReqContext;
import org.apache.storm.security.auth.SingleUserPrincipal;
import org.apache.storm.utils.ObjectReader;

/** Which users can write a blob, and whether Nimbus would let a user rebalance a topology. Not thread-safe. */
final class BlobRights {

    /** Stands for all users. No user has this name, so an authorizer permits it only what it permits everybody. */
    static final String EVERYBODY = "*";

    private static final String OPERATION = "rebalance";

    private final Map<String, Object> conf;
    private final boolean areChecked;
    /** Null before its first use. */
    private IAuthorizer authorizer;

    /** Takes Nimbus's configuration. */
    BlobRights(Map<String, Object> conf) {
        this.conf = conf;
        areChecked = ObjectReader.getBoolean(conf.get(Config.STORM_BLOBSTORE_ACL_VALIDATION_ENABLED), false);
    }

    /** Whether the cluster checks who reads and writes blobs. */
    boolean areChecked() {
        return areChecked;
    }

    /** Whether everybody may do everything. */
    boolean areOpen() {
        return conf.get(DaemonConfig.NIMBUS_AUTHORIZER) == null;
    }

    /** The users that can write a blob with these permissions, without Nimbus. */
    static Set<String> writers(List<AccessControl> permissions) {
        Set<String> writers = new TreeSet<>();
        for (AccessControl one : permissions) {
            if ((one.get_access() & (BlobStoreAclHandler.WRITE | BlobStoreAclHandler.ADMIN)) != 0) {
                writers.add(one.get_type() == AccessControlType.USER ? one.get_name() : EVERYBODY);
            }
        }
        writers.remove(new NimbusPrincipal().getName());
        return writers;
    }

    /** Whether Nimbus lets a user rebalance the topology that has this configuration. */
    boolean mayRebalance(String user, Map<String, Object> topologyConf) {
        if (areOpen()) {
            return true;
        }
        if (authorizer == null) {
            authorizer = load(conf.get(DaemonConfig.NIMBUS_AUTHORIZER).toString());
        }
        Set<Principal> principal = Set.of(new SingleUserPrincipal(user));
        return authorizer.permit(new ReqContext(new Subject(true, principal, Set.of(), Set.of())), OPERATION, topologyConf);
    }

    private IAuthorizer load(String className) {
        try {
            return StormCommon.mkAuthorizationHandler(className, conf);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(DaemonConfig.NIMBUS_AUTHORIZER + " is " + className + ", which cannot be loaded: " + e, e);
        }
    }
}
