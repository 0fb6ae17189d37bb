package io.eyewall.web.api;

import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.security.auth.IAuthorizer;
import org.apache.storm.security.auth.IHttpCredentialsPlugin;
import org.apache.storm.security.auth.ReqContext;
import org.apache.storm.security.auth.authorizer.NoopAuthorizer;
import org.apache.storm.utils.ReflectionUtils;

/**
 * Who sends a request: the user whom a filter has found, or whom that user acts for ({@code doAsUser}) if
 * {@code nimbus.impersonation.authorizer} allows it. Safe for any thread.
 */
public final class Callers {

    private static final int FORBIDDEN = 403;

    private final IHttpCredentialsPlugin credentials;
    private final IAuthorizer impersonation;

    /**
     * Who sends a request.
     *
     * @param user who has logged in; null if nobody has
     * @param real who acts for the principals; empty if nobody does
     * @param principals all names of the caller, or of whom the caller acts for, with their kinds
     */
    record Caller(String user, String real, Set<String> principals) {
    }

    /** Those who are found by a plug-in; null takes what the filter says. */
    public Callers(Map<String, Object> conf, IHttpCredentialsPlugin credentials) {
        this.credentials = credentials;
        impersonation = authorizer(conf, DaemonConfig.NIMBUS_IMPERSONATION_AUTHORIZER);
    }

    /** Who has logged in; null if nobody has. */
    String user(HttpServletRequest request) {
        return credentials == null ? request.getRemoteUser() : credentials.getUserName(request);
    }

    /**
     * Makes the caller that of this thread, which Storm's authorizers look for.
     *
     * @throws HttpException a 403 if the user may not act for the one that the request names
     */
    public ReqContext enter(HttpServletRequest request, String operation) throws HttpException {
        ReqContext.reset();
        ReqContext context = ReqContext.context();
        if (credentials != null) {
            credentials.populateContext(context, request);
        }
        if (context.isImpersonating() && (impersonation == null || !impersonation.permit(context, operation, Map.of()))) {
            throw new HttpException(FORBIDDEN, "The user " + name(context.realPrincipal()) + " may not act for " + name(context.principal())
                + ". Allow it in " + Config.NIMBUS_IMPERSONATION_ACL + ".");
        }
        return context;
    }

    /**
     * The caller of this thread, in all that an authorizer may look at.
     *
     * @param user who has logged in; null if nobody has
     */
    static Caller caller(ReqContext context, String user) {
        Set<String> principals = new TreeSet<>();
        if (context.subject() != null) {
            context.subject().getPrincipals().forEach(principal -> principals.add(id(principal)));
        }
        return new Caller(user, id(context.realPrincipal()), principals);
    }

    private static String id(Principal principal) {
        return principal == null ? "" : principal.getClass().getName() + " " + principal.getName();
    }

    /** The authorizer that a key names; null if there is none that refuses anything. */
    static IAuthorizer authorizer(Map<String, Object> conf, String key) {
        String name = (String) conf.get(key);
        if (name == null || name.equals(NoopAuthorizer.class.getName())) {
            return null;
        }
        IAuthorizer authorizer = ReflectionUtils.newInstance(name);
        authorizer.prepare(conf);
        return authorizer;
    }

    static String name(Principal principal) {
        return principal == null ? "nobody" : Parameters.shown(principal.getName());
    }
}
