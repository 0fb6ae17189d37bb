package io.eyewall.core.security;

import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Utils;
import org.apache.storm.utils.WrappedInvalidTopologyException;

/** Checks that the workers of a topology have the secret with which they authenticate each other. Safe for any thread. */
final class WorkerSecrets {

    private static final String AUTHENTICATION = Config.STORM_MESSAGING_NETTY_AUTHENTICATION;

    private WorkerSecrets() {
    }

    /**
     * Before a topology gets this configuration. The secret is what its workers log in to ZooKeeper with. Nimbus removes it where it does
     * not log in itself, and each worker would end with a NullPointerException.
     *
     * @throws WrappedInvalidTopologyException if the workers are to know each other, and have no secret
     */
    static void check(Object authentication, Map<String, Object> nimbusConf) throws WrappedInvalidTopologyException {
        if (ObjectReader.getBoolean(authentication, false) && !Utils.isZkAuthenticationConfiguredStormServer(nimbusConf)) {
            throw new WrappedInvalidTopologyException(AUTHENTICATION + " is true, but Nimbus does not log in to ZooKeeper, so that workers"
                + " have no secret to authenticate each other with. Set " + Config.STORM_ZOOKEEPER_AUTH_SCHEME + " and "
                + Config.STORM_ZOOKEEPER_AUTH_PAYLOAD + " for all daemons, or -Djava.security.auth.login.config; or set " + AUTHENTICATION
                + " to false.");
        }
    }
}
