package io.eyewall.web.api;

import jakarta.servlet.http.HttpServletRequest;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.DaemonConfig;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.security.auth.IAuthorizer;
import org.apache.storm.security.auth.ReqContext;
import org.apache.storm.security.auth.ServerAuthUtils;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.thrift.TException;

/**
 * Who may use an address: asks {@code nimbus.authorizer} about the operation, with the configuration of the topology that it is about, and
 * {@code nimbus.impersonation.authorizer} if the request names another user in {@code doAsUser}. Everybody may if there is no
 * authorizer; if there is one, nobody may who has not logged in. Safe for any thread.
 */
final class Authorization {

    private static final int FORBIDDEN = 403;

    private final IAuthorizer authorizer;
    private final Callers callers;

    Authorization(Map<String, Object> conf) {
        authorizer = Callers.authorizer(conf, DaemonConfig.NIMBUS_AUTHORIZER);
        callers = new Callers(conf, ServerAuthUtils.getUiHttpCredentialsPlugin(conf));
    }

    /** Whether Nimbus must say how a topology is configured before anybody may use the route. */
    boolean needsNimbus(Route route) {
        return !route.operation().isEmpty() && authorizer != null;
    }

    /** Who has logged in; null if nobody has. */
    String user(HttpServletRequest request) {
        return callers.user(request);
    }

    /** Who asks, in all that the answer may depend on; throws a 403 if a user acts for another and may not. */
    Callers.Caller caller(HttpServletRequest request, Route route) throws HttpException {
        return Callers.caller(callers.enter(request, route.operation()), user(request));
    }

    /**
     * Throws a 403 unless the request may use the route.
     *
     * @param topologyId null if the route is not about a topology
     * @param nimbus may be null if the route does not {@link #needsNimbus}
     */
    void require(HttpServletRequest request, Route route, String topologyId, Nimbus.Iface nimbus) throws HttpException, TException {
        if (route.operation().isEmpty()) {
            return;
        }
        ReqContext context = callers.enter(request, route.operation());
        if (authorizer == null) {
            return;
        }
        if (context.principal() == null) {
            throw new HttpException(FORBIDDEN, "Only a user who has logged in may do " + route.operation() + ", and "
                + DaemonConfig.UI_FILTER + " has not identified the user.");
        }
        Map<String, Object> about = new HashMap<>();
        if (topologyId != null && JSONValue.parse(nimbus.getTopologyConf(topologyId)) instanceof Map<?, ?> conf) {
            conf.forEach((key, value) -> about.put(String.valueOf(key), value));
        }
        if (!authorizer.permit(context, route.operation(), about)) {
            throw new HttpException(FORBIDDEN, "The user " + Callers.name(context.principal()) + " may not do " + route.operation()
                + (topologyId == null ? "." : " with the topology " + Parameters.shown(topologyId) + "."));
        }
    }
}
