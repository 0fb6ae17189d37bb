package io.eyewall.web.logs;

import io.eyewall.web.api.HttpException;
import io.eyewall.web.api.Parameters;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.security.auth.ClientAuthUtils;
import org.apache.storm.security.auth.IGroupMappingServiceProvider;
import org.apache.storm.security.auth.IHttpCredentialsPlugin;
import org.apache.storm.security.auth.ServerAuthUtils;
import org.apache.storm.security.auth.authorizer.NoopAuthorizer;
import org.apache.storm.shade.org.yaml.snakeyaml.LoaderOptions;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;
import org.apache.storm.shade.org.yaml.snakeyaml.constructor.SafeConstructor;
import org.apache.storm.shade.org.yaml.snakeyaml.error.YAMLException;
import org.apache.storm.utils.ObjectReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who may read which log. Nimbus's administrators and {@code logs.users} and {@code logs.groups} may read all, those of daemons included.
 * The others may read the logs of a worker whose {@code worker.yaml}, which its Supervisor writes, lists them. Everybody may read
 * everything if neither a filter nor {@code nimbus.authorizer} is set. Safe for any thread.
 */
final class LogAccess {

    private static final Logger LOG = LoggerFactory.getLogger(LogAccess.class);
    private static final int FORBIDDEN = 403;
    private static final int MAX_DESCRIPTION_BYTES = 1 << 20;

    private final boolean open;
    private final Set<String> users = new HashSet<>();
    private final Set<String> groups = new HashSet<>();
    private final IHttpCredentialsPlugin credentials;
    private final IGroupMappingServiceProvider groupsOfUsers;

    LogAccess(Map<String, Object> conf) {
        Object authorizer = conf.get(DaemonConfig.NIMBUS_AUTHORIZER);
        open = conf.get(DaemonConfig.LOGVIEWER_FILTER) == null && conf.get(DaemonConfig.UI_FILTER) == null
            && (authorizer == null || authorizer.equals(NoopAuthorizer.class.getName()));
        users.addAll(ObjectReader.getStrings(conf.get(DaemonConfig.LOGS_USERS)));
        users.addAll(ObjectReader.getStrings(conf.get(Config.NIMBUS_ADMINS)));
        groups.addAll(ObjectReader.getStrings(conf.get(DaemonConfig.LOGS_GROUPS)));
        groups.addAll(ObjectReader.getStrings(conf.get(Config.NIMBUS_ADMINS_GROUPS)));
        credentials = ServerAuthUtils.getUiHttpCredentialsPlugin(conf);
        groupsOfUsers = ClientAuthUtils.getGroupMappingServiceProviderPlugin(conf);
    }

    /** Who asks. */
    Reader reader(HttpServletRequest request) {
        return new Reader(credentials == null ? request.getRemoteUser() : credentials.getUserName(request));
    }

    /** Somebody who asks; for one request. */
    final class Reader {

        private final String user;
        private Set<String> ofUser;

        private Reader(String user) {
            this.user = user;
        }

        /** Whether this user may read the logs of a worker, or for null those of daemons. */
        boolean mayRead(WorkerDirectory owner) {
            if (open) {
                return true;
            }
            if (isNobody()) {
                return false;
            }
            if (users.contains(user) || isInOneOf(groups)) {
                return true;
            }
            if (owner == null) {
                return false;
            }
            Map<?, ?> description = describe(owner);
            return user.equals(description.get(Config.TOPOLOGY_SUBMITTER_USER))
                || strings(description.get(DaemonConfig.LOGS_USERS)).contains(user)
                || isInOneOf(strings(description.get(DaemonConfig.LOGS_GROUPS)));
        }

        /** Throws a 403 unless this user may read the logs of a worker, or for null those of daemons. */
        void require(WorkerDirectory owner) throws HttpException {
            if (!mayRead(owner)) {
                throw new HttpException(FORBIDDEN, "The user " + Parameters.shown(user) + " may not read "
                    + (owner == null ? "the logs of daemons. " + DaemonConfig.LOGS_USERS + " in the storm.yaml of this host lists who may."
                    : "the logs of the topology " + Parameters.shown(owner.topology()) + ". " + DaemonConfig.LOGS_USERS
                        + " in its configuration lists who may."));
            }
        }

        /** Throws a 403 if nobody has logged in and that matters. */
        void requireLogin() throws HttpException {
            if (!open && isNobody()) {
                throw new HttpException(FORBIDDEN, "Only a user who has logged in may read logs, and " + DaemonConfig.LOGVIEWER_FILTER
                    + " has not identified the user.");
            }
        }

        private boolean isNobody() {
            return user == null || user.isEmpty();
        }

        private boolean isInOneOf(Collection<String> allowed) {
            if (allowed.isEmpty() || groupsOfUsers == null) {
                return false;
            }
            if (ofUser == null) {
                try {
                    ofUser = groupsOfUsers.getGroups(user);
                } catch (IOException e) {
                    LOG.warn("The groups of {} are not known, so that it counts as a member of none", user, e);
                    ofUser = Set.of();
                }
            }
            return ofUser.stream().anyMatch(allowed::contains);
        }
    }

    /** What the Supervisor has written about a worker; empty if that cannot be read, so that only those may read who may read all. */
    static Map<?, ?> describe(WorkerDirectory worker) {
        try (InputStream input = Files.newInputStream(worker.description(), LinkOption.NOFOLLOW_LINKS)) {
            String text = new String(input.readNBytes(MAX_DESCRIPTION_BYTES), StandardCharsets.UTF_8);
            return new Yaml(new SafeConstructor(new LoaderOptions())).load(text) instanceof Map<?, ?> map ? map : Map.of();
        } catch (IOException | YAMLException e) {
            LOG.debug("{} cannot be read", worker.description(), e);
            return Map.of();
        }
    }

    private static Set<String> strings(Object value) {
        Set<String> strings = new HashSet<>();
        if (value instanceof Collection<?> all) {
            all.forEach(one -> strings.add(String.valueOf(one)));
        }
        return strings;
    }
}
