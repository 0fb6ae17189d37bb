package io.eyewall.client.security;

import java.util.Map;
import org.apache.storm.dependency.DependencyBlobStoreUtils;
import org.apache.storm.shade.org.apache.curator.framework.CuratorFramework;
import org.apache.storm.shade.org.apache.zookeeper.KeeperException;
import org.apache.storm.utils.Utils;
import org.apache.storm.zookeeper.ClientZookeeper;
import org.slf4j.Logger;

/** What woven code calls where the arguments of the replaced call suffice. Not for use by features. Safe for any thread. */
public final class WovenSecurity {

    private WovenSecurity() {
    }

    /** After {@code ConfigUtils.maskPasswords}, whose result is for a log. */
    public static Map<String, Object> masked(Map<String, Object> conf) {
        return Redaction.of(conf).mask(conf);
    }

    /** In place of {@code Logger.info} where a client logs the configuration of a topology. */
    public static void info(Logger logger, String format, Object first, Object second) {
        if (logger.isInfoEnabled()) {
            logger.info(format, first, second instanceof String text ? Redaction.usual().maskText(text) : second);
        }
    }

    /** In place of {@code Logger.info} where a client logs the secret that it has made for a topology, behind a colon. */
    public static void generated(Logger logger, String text) {
        logger.info(text.substring(0, text.indexOf(':') + 1) + ' ' + Redaction.MASK);
    }

    /** In place of {@code Logger.debug} where a worker logs the secret that all workers of the topology know. */
    public static void debug(Logger logger, String format, Object first, Object ignoredSecret) {
        logger.debug(format, first, Redaction.MASK);
    }

    /**
     * In place of {@code Logger.error} where a worker refuses somebody who does not know that secret. Whoever closes the connection logs
     * it, at doublings of the count.
     */
    public static void refused(Logger logger, String format, Object length, Object cause) {
        logger.debug(format, length, cause);
    }

    /**
     * In place of {@code ClientZookeeper.existsNode} before a node is made. ZooKeeper 3.9.4 does not tell a worker's session that Nimbus's
     * nodes exist, which it may not read; it refuses to answer only where there is a node.
     */
    public static boolean exists(CuratorFramework zooKeeper, String path, boolean watch) {
        try {
            return ClientZookeeper.existsNode(zooKeeper, path, watch);
        } catch (RuntimeException e) {
            if (Utils.exceptionCauseIsInstanceOf(KeeperException.NoAuthException.class, e)) {
                return true;
            }
            throw e;
        }
    }

    /** In place of {@code DependencyBlobStoreUtils.generateDependencyBlobKey} for a file that many topologies may bring with them. */
    public static String dependencyKey(String fileName) {
        return DependencyBlobStoreUtils.generateDependencyBlobKey(DependencyBlobStoreUtils.applyUUIDToFileName(fileName));
    }
}
