package io.eyewall.web.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.eyewall.web.json.Values;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
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
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern CALLBACK = Pattern.compile("[A-Za-z_$][\\w$.]{0,99}");
    /** What Nimbus accepts as the key of a blob, which each topology has; it has no error of its own for other ids. */
    private static final Pattern TOPOLOGY_ID = Pattern.compile("[\\w \\t._-]+", Pattern.UNICODE_CHARACTER_CLASS);
    private static final int MOST_BODY_BYTES = 1 << 20;
    private static final int TIMEOUT_MS = 60_000;

    private final Map<String, Object> conf;
    private final Map<String, Object> ofClient;
    private final Authorization authorization;
    private final CrossSite crossSite = new CrossSite(new SecureRandom());
    private final List<Route> routes;
    private final boolean callbacks;

    /**
     * With the configuration of the cluster.
     *
     * @param callbacks whether responses may be wrapped in a function (JSONP)
     * @param clock what ages are counted with
     */
    public ApiServlet(Map<String, Object> conf, boolean callbacks, InstantSource clock) {
        this.conf = conf;
        ofClient = new HashMap<>(conf);
        // A page asks again by itself: somebody who waits for it should hear soon that Nimbus is away.
        ofClient.put(Config.STORM_NIMBUS_RETRY_TIMES, 1);
        this.callbacks = callbacks;
        authorization = new Authorization(conf);
        List<Route> all = new ArrayList<>(new Routes(conf, clock).all());
        all.add(Route.show("session", "", this::session));
        routes = List.copyOf(all);
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
            callback = callback(request);
            content = content(request);
        } catch (HttpException e) {
            status = e.status();
            content = error(status, e.getMessage());
        } catch (NotAliveException e) {
            status = HttpStatus.NOT_FOUND_404;
            content = error(status, "No such topology is running: " + e.get_msg());
        } catch (AuthorizationException e) {
            status = HttpStatus.FORBIDDEN_403;
            content = error(status, e.get_msg());
        } catch (InvalidTopologyException e) {
            status = HttpStatus.BAD_REQUEST_400;
            content = error(status, e.get_msg());
        } catch (TException | NimbusLeaderNotFoundException e) {
            LOG.warn("Nimbus did not do {} {}", request.getMethod(), request.getRequestURI(), e);
            status = HttpStatus.SERVICE_UNAVAILABLE_503;
            content = error(status, "Nimbus did not answer, or failed. Look into the logs of Nimbus and of the UI, and try again.");
        } catch (RuntimeException e) {
            LOG.error("Cannot serve {} {}", request.getMethod(), request.getRequestURI(), e);
            status = HttpStatus.INTERNAL_SERVER_ERROR_500;
            content = error(status, "The UI failed. Its log says why.");
        }
        write(response, status, content, callback);
    }

    private Object content(HttpServletRequest request) throws HttpException, TException, IOException {
        List<String> segments = segments(request.getRequestURI());
        boolean known = false;
        for (Route route : routes) {
            Optional<Map<String, String>> path = route.match(segments);
            if (path.isPresent() && route.methods().contains(request.getMethod())) {
                return handle(request, route, path.get());
            }
            known |= path.isPresent();
        }
        throw known ? new HttpException(HttpStatus.METHOD_NOT_ALLOWED_405, "This address does not accept " + request.getMethod() + ".")
            : HttpException.notFound("There is no such address below " + ROOT + ".");
    }

    private Object handle(HttpServletRequest request, Route route, Map<String, String> path) throws HttpException, TException, IOException {
        Parameters asked = new Parameters(path, query(request), body(request), authorization.user(request));
        if (route.ofTopology() && !TOPOLOGY_ID.matcher(path.get("id")).matches()) {
            throw HttpException.notFound("No topology can have the id " + Parameters.shown(path.get("id")) + ".");
        }
        if (route.action()) {
            crossSite.require(request, asked.user());
        }
        if (route.operation().isEmpty()) {
            return route.handler().handle(null, asked);
        }
        try (NimbusClient client = NimbusClient.Builder.withConf(ofClient).withTimeout(TIMEOUT_MS).build()) {
            Nimbus.Iface nimbus = client.getClient();
            authorization.require(request, route, route.ofTopology() ? path.get("id") : null, nimbus);
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

    private String callback(HttpServletRequest request) throws HttpException {
        String callback = query(request).get("callback");
        if (callback == null) {
            return null;
        }
        if (!callbacks) {
            throw HttpException.badRequest("callback (JSONP) is off, since it lets any site read responses. Leave it out, or set"
                + " ui.jsonp.enabled: true in the storm.yaml of the UI.");
        }
        if (!CALLBACK.matcher(callback).matches()) {
            throw HttpException.badRequest("callback is " + Parameters.shown(callback) + ", which is not the name of a function.");
        }
        return callback;
    }

    /** Parsed here, since the servlet's own parameters would take a form's body, too. */
    private static Map<String, String> query(HttpServletRequest request) throws HttpException {
        Map<String, String> query = new LinkedHashMap<>();
        if (request.getQueryString() != null) {
            for (String pair : request.getQueryString().split("&", -1)) {
                int equals = pair.indexOf('=');
                query.putIfAbsent(decoded(equals < 0 ? pair : pair.substring(0, equals)),
                    equals < 0 ? "" : decoded(pair.substring(equals + 1)));
            }
        }
        return query;
    }

    private static String body(HttpServletRequest request) throws HttpException, IOException {
        if (!request.getMethod().equals("POST")) {
            return "";
        }
        try (InputStream input = request.getInputStream()) {
            byte[] body = input.readNBytes(MOST_BODY_BYTES + 1);
            if (body.length > MOST_BODY_BYTES) {
                throw new HttpException(HttpStatus.PAYLOAD_TOO_LARGE_413, "The body has more than " + MOST_BODY_BYTES + " bytes.");
            }
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    /** The parts of a path below {@link #ROOT}, each decoded by itself: the name of a component may contain an encoded slash. */
    static List<String> segments(String requestPath) throws HttpException {
        String below = requestPath.startsWith(ROOT) ? requestPath.substring(ROOT.length()).replaceFirst("/$", "") : "";
        List<String> segments = new ArrayList<>();
        for (String segment : below.split("/", -1)) {
            segments.add(decoded(segment.replace("+", "%2B")));
        }
        return segments;
    }

    private static String decoded(String part) throws HttpException {
        try {
            return URLDecoder.decode(part, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw HttpException.badRequest("The address has a percent sign that no two hexadecimal digits follow: "
                + Parameters.shown(part) + ".");
        }
    }

    private static Map<String, Object> error(int status, String message) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("error", status + " " + HttpStatus.getMessage(status));
        json.put("errorMessage", message);
        return json;
    }

    private static void write(HttpServletResponse response, int status, Object content, String callback) throws IOException {
        String json = JSON.writeValueAsString(content);
        response.setStatus(status);
        response.setHeader("Cache-Control", "no-cache, no-store");
        response.setContentType(callback == null ? "application/json;charset=utf-8" : "application/javascript;charset=utf-8");
        byte[] bytes = (callback == null ? json : callback + "(" + json + ");").getBytes(StandardCharsets.UTF_8);
        response.setContentLength(bytes.length);
        response.getOutputStream().write(bytes);
    }
}
