package io.eyewall.core.security;

import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.apache.storm.blobstore.BlobStore;
import org.apache.storm.daemon.nimbus.Nimbus;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.KeyNotFoundException;
import org.apache.storm.security.auth.IPrincipalToLocal;
import org.apache.storm.security.auth.ReqContext;
import org.apache.storm.utils.ObjectReader;

/** Checks the callers of operations that upstream's Nimbus does for anybody. On the thread that serves the client. */
public final class CallerChecks {

    private CallerChecks() {
    }

    /**
     * Called before Nimbus returns the topologies that a user has had: to that user, or to a caller who may do everything, such as the UI.
     *
     * @throws AuthorizationException if it is somebody else, and Nimbus has an authorizer
     */
    public static void checkHistory(Nimbus nimbus, String user, IPrincipalToLocal principalToLocal) throws AuthorizationException {
        if (user == null || !isNamed(List.of(user), principalToLocal)) {
            nimbus.checkAuthorization(null, null, "getTopologyHistory");
        }
    }

    /**
     * Before Nimbus notes in ZooKeeper that it has a blob: it must be one of the caller's. The daemons are not asked, since they note what
     * they are about to fetch.
     *
     * @throws AuthorizationException if the caller has no permission on the blob, and Nimbus checks permissions
     * @throws KeyNotFoundException if there is no such blob
     */
    public static void checkNotedBlob(String key, Map<String, Object> nimbusConf, BlobStore blobs, IPrincipalToLocal principalToLocal)
            throws AuthorizationException, KeyNotFoundException {
        if (ObjectReader.getBoolean(nimbusConf.get(Config.STORM_BLOBSTORE_ACL_VALIDATION_ENABLED), false)
                && !isNamed(names(nimbusConf, Config.NIMBUS_ADMINS), principalToLocal)
                && !isNamed(names(nimbusConf, Config.NIMBUS_SUPERVISOR_USERS), principalToLocal)) {
            blobs.getBlobMeta(key, ReqContext.context().subject());
        }
    }

    private static boolean isNamed(List<?> users, IPrincipalToLocal principalToLocal) {
        Principal caller = ReqContext.context().principal();
        return caller != null && Stream.of(caller.getName(), principalToLocal.toLocal(caller)).anyMatch(users::contains);
    }

    private static List<?> names(Map<String, Object> conf, String key) {
        return conf.get(key) instanceof List<?> names ? names : List.of();
    }
}
