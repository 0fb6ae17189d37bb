package io.eyewall.web.api;

import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.security.auth.IAuthorizer;
import org.apache.storm.security.auth.IHttpCredentialsPlugin;
import org.apache.storm.security.auth.ReqContext;
import org.apache.storm.security.auth.ServerAuthUtils;
import org.apache.storm.security.auth.authorizer.NoopAuthorizer;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.ReflectionUtils;

/**
 * Who may use an address: asks {@code nimbus.authorizer} about the operation, with the configuration of the topology that it is about, and
 * {@code nimbus.impersonation.authorizer} if the request names another user in {@code doAsUser}. Everybody may if there is no
 * authorizer; if there is one, nobody may who has not logged in. Safe for any thread.
 */
final class Authorization {

    private static final int FORBIDDEN = 403;

    private final IAuthorizer authorizer;
    private final IAuthorizer impersonation;
    private final IHttpCredentialsPlugin credentials;

    Authorization(Map<String, Object> conf) {
        authorizer = authorizer(conf, DaemonConfig.NIMBUS_AUTHORIZER);
        impersonation = authorizer(conf, DaemonConfig.NIMBUS_IMPERSONATION_AUTHORIZER);
        credentials = ServerAuthUtils.getUiHttpCredentialsPlugin(conf);
    }

    /** Who has logged in; null if nobody has. */
    String user(HttpServletRequest request) {
        return credentials == null ? request.getRemoteUser() : credentials.getUserName(request);
    }

    /**
     * Throws a 403 unless the request may use the route.
     *
     * @param topologyId null if the route is not about a topology
     */
    void require(HttpServletRequest request, Route route, String topologyId, Nimbus.Iface nimbus) throws HttpException, TException {
        if (route.operation().isEmpty()) {
            return;
        }
        ReqContext.reset();
        ReqContext context = ReqContext.context();
        if (credentials != null) {
            credentials.populateContext(context, request);
        }
        Map<String, Object> about = new HashMap<>();
        if (context.isImpersonating() && (impersonation == null || !impersonation.permit(context, route.operation(), about))) {
            throw new HttpException(FORBIDDEN, "The user " + name(context.realPrincipal()) + " may not act for " + name(context.principal())
                + ". Allow it in " + Config.NIMBUS_IMPERSONATION_ACL + ".");
        }
        if (authorizer == null) {
            return;
        }
        if (context.principal() == null) {
            throw new HttpException(FORBIDDEN, "Only who has logged in may do " + route.operation() + ", and " + DaemonConfig.UI_FILTER
                + " has not said who asks.");
        }
        if (topologyId != null && JSONValue.parse(nimbus.getTopologyConf(topologyId)) instanceof Map<?, ?> conf) {
            conf.forEach((key, value) -> about.put(String.valueOf(key), value));
        }
        if (!authorizer.permit(context, route.operation(), about)) {
            throw new HttpException(FORBIDDEN, "The user " + name(context.principal()) + " may not do " + route.operation()
                + (topologyId == null ? "." : " with the topology " + Parameters.shown(topologyId) + "."));
        }
    }

    private static IAuthorizer authorizer(Map<String, Object> conf, String key) {
        String name = (String) conf.get(key);
        if (name == null || name.equals(NoopAuthorizer.class.getName())) {
            return null;
        }
        IAuthorizer authorizer = ReflectionUtils.newInstance(name);
        authorizer.prepare(conf);
        return authorizer;
    }

    private static String name(Principal principal) {
        return principal == null ? "nobody" : Parameters.shown(principal.getName());
    }
}
