package io.eyewall.web.api;

import io.eyewall.web.history.TopologyHistory;
import io.eyewall.web.json.Values;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.security.auth.ReqContext;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.NimbusLeaderNotFoundException;
import org.eclipse.jetty.http.HttpStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves {@code /api/v1}: finds the route, checks who asks, calls Nimbus over a connection of the request's own, and writes JSON. An error
 * is {@code {error, errorMessage}}, never a stack trace. Called by many threads.
 */
public final class ApiServlet extends HttpServlet {

    /** Where the API is. */
    public static final String ROOT = "/api/v1/";

    private static final Logger LOG = LoggerFactory.getLogger(ApiServlet.class);
    /** What Nimbus accepts as the key of a blob, which each topology has; it has no error of its own for other ids. */
    private static final Pattern TOPOLOGY_ID = Pattern.compile("[\\w \\t._-]+", Pattern.UNICODE_CHARACTER_CLASS);
    private static final int MAX_BODY_BYTES = 1 << 20;
    private static final int TIMEOUT_MS = 60_000;
    private static final int MS_PER_SEC = 1_000;

    private final Map<String, Object> conf;
    private final Map<String, Object> ofClient;
    private final Authorization authorization;
    private final CsrfCheck crossSite = new CsrfCheck(new SecureRandom());
    private final List<Route> routes;
    private final Map<String, Object> description;
    private final JsonResponses responses;
    private final EventStreams streams;
    private final ResponseCache shared;
    private final InstantSource clock;

    /**
     * With the configuration of the cluster.
     *
     * @param callbacks whether responses may be wrapped in a function (JSONP)
     * @param history what topologies did before
     * @param clock what ages are counted with
     */
    public ApiServlet(Map<String, Object> conf, boolean callbacks, TopologyHistory history, InstantSource clock) {
        this.conf = conf;
        ofClient = new HashMap<>(conf);
        // A page asks again by itself: somebody who waits for it should hear soon that Nimbus is away.
        ofClient.put(Config.STORM_NIMBUS_RETRY_TIMES, 1);
        responses = new JsonResponses(callbacks);
        authorization = new Authorization(conf);
        streams = new EventStreams(history.events(), clock);
        shared = new ResponseCache(clock);
        this.clock = clock;
        List<Route> all = new ArrayList<>(new Routes(conf, history, clock).all());
        all.add(Route.showKept("session", "", Description.of("The user who has logged in, and the token for actions."), this::session));
        all.add(Route.showKept("openapi.json", "", Description.of("This description."), this::description));
        routes = List.copyOf(all);
        description = OpenApi.of(routes);
    }

    @Override
    public void init() {
        streams.start();
    }

    @Override
    public void destroy() {
        streams.close();
    }

    /** All addresses, for those who check them. */
    List<Route> routes() {
        return routes;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String callback = null;
        int status = HttpServletResponse.SC_OK;
        Object content;
        try {
            RequestAddress address = RequestAddress.of(ROOT, request);
            callback = responses.callback(address.query());
            content = content(request, response, address);
            if (content instanceof EventStreams.Wanted wanted) {
                streams.open(request, response, wanted);
                return;
            }
        } catch (HttpException e) {
            status = e.status();
            content = JsonResponses.error(status, e.getMessage());
        } catch (NotAliveException e) {
            status = HttpStatus.NOT_FOUND_404;
            content = JsonResponses.error(status, "No such topology is running: " + e.get_msg());
        } catch (AuthorizationException e) {
            status = HttpStatus.FORBIDDEN_403;
            content = JsonResponses.error(status, e.get_msg());
        } catch (InvalidTopologyException e) {
            status = HttpStatus.BAD_REQUEST_400;
            content = JsonResponses.error(status, e.get_msg());
        } catch (TException | NimbusLeaderNotFoundException e) {
            LOG.warn("Nimbus did not do {} {}", request.getMethod(), request.getRequestURI(), e);
            status = HttpStatus.SERVICE_UNAVAILABLE_503;
            content = JsonResponses.error(status,
                "Nimbus did not answer, or failed. Look into the logs of Nimbus and of the UI, and try again.");
        } catch (RuntimeException e) {
            LOG.error("Cannot serve {} {}", request.getMethod(), request.getRequestURI(), e);
            status = HttpStatus.INTERNAL_SERVER_ERROR_500;
            content = JsonResponses.error(status, "The UI failed. Its log says why.");
        }
        JsonResponses.write(response, status, content, callback);
    }

    private Object content(HttpServletRequest request, HttpServletResponse response, RequestAddress address)
            throws HttpException, TException, IOException {
        boolean known = false;
        for (Route route : routes) {
            Optional<Map<String, String>> path = route.match(address.segments());
            if (path.isPresent() && route.methods().contains(request.getMethod())) {
                String body = request.getMethod().equals("POST") ? Parameters.body(request, MAX_BODY_BYTES) : "";
                Parameters asked = new Parameters(path.get(), address.query(), body, authorization.user(request));
                long acceptedMs = route.shareable() ? ResponseCache.acceptedMs(request.getHeader("Cache-Control")) : 0;
                return acceptedMs == 0 ? handle(request, route, asked) : shared(request, response, route, asked, address, acceptedMs);
            }
            known |= path.isPresent();
        }
        throw known ? new HttpException(HttpStatus.METHOD_NOT_ALLOWED_405, "This address does not accept " + request.getMethod() + ".")
            : HttpException.notFound("There is no such address below " + ROOT + ".");
    }

    /** An answer that somebody else with the same rights may have asked for. */
    private Object shared(HttpServletRequest request, HttpServletResponse response, Route route, Parameters asked, RequestAddress address,
            long acceptedMs) throws HttpException, TException {
        ResponseCache.Answer answer = shared.get(ResponseCache.Key.of(authorization.caller(request, route), address), acceptedMs,
            () -> JsonResponses.bytes(handle(request, route, asked)));
        response.setHeader("Age", String.valueOf(Math.max(0, clock.millis() - answer.askedMs()) / MS_PER_SEC));
        return answer.json();
    }

    private Object handle(HttpServletRequest request, Route route, Parameters asked) throws HttpException, TException {
        if (route.ofTopology() && !TOPOLOGY_ID.matcher(asked.path("id")).matches()) {
            throw HttpException.notFound("No topology can have the id " + Parameters.shown(asked.path("id")) + ".");
        }
        if (route.action()) {
            crossSite.require(request, asked.user());
            try {
                return ask(request, route, asked);
            } finally {
                shared.forget();
            }
        }
        return ask(request, route, asked);
    }

    private Object ask(HttpServletRequest request, Route route, Parameters asked) throws HttpException, TException {
        if (route.kept() && !authorization.needsNimbus(route)) {
            authorization.require(request, route, null, null);
            return route.handler().handle(null, asked);
        }
        // Storm's client would ask as the user who is known to this thread, be it that of an earlier request.
        ReqContext.reset();
        try (NimbusClient client = NimbusClient.Builder.withConf(ofClient).withTimeout(TIMEOUT_MS).build()) {
            Nimbus.Iface nimbus = client.getClient();
            authorization.require(request, route, route.ofTopology() ? asked.path("id") : null, nimbus);
            return route.handler().handle(nimbus, asked);
        }
    }

    /** What the pages need before they ask for anything else. */
    private Object session(Nimbus.Iface none, Parameters asked) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("user", asked.user());
        json.put("title", conf.get(DaemonConfig.UI_TITLE));
        json.put("pagination", conf.get(DaemonConfig.UI_PAGINATION));
        json.put("windows", Values.WINDOWS);
        json.put("csrfToken", crossSite.token(asked.user()));
        return json;
    }

    private Object description(Nimbus.Iface none, Parameters asked) {
        return description;
    }
}
