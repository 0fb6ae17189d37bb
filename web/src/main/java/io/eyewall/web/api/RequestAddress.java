package io.eyewall.web.api;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The address of a request, decoded: the servlet's own methods would take a form's body for parameters, and an encoded slash for a
 * separator.
 *
 * @param segments the parts of the path below {@link ApiServlet#ROOT}
 * @param query the parameters behind the question mark, each with its first value
 */
public record RequestAddress(List<String> segments, Map<String, String> query) {

    /**
     * The address of a request; a slash at its end does not count.
     *
     * @param root the path, with a slash at its end, that the segments are below
     * @throws HttpException if a percent sign encodes nothing
     */
    public static RequestAddress of(String root, HttpServletRequest request) throws HttpException {
        RequestAddress address = exactly(root, request);
        int last = address.segments.size() - 1;
        return last > 0 && request.getRequestURI().endsWith("/") ? new RequestAddress(address.segments.subList(0, last), address.query)
            : address;
    }

    /** The same, with a last segment that is empty if there is a slash at the end. */
    public static RequestAddress exactly(String root, HttpServletRequest request) throws HttpException {
        String path = request.getRequestURI();
        List<String> segments = new ArrayList<>();
        for (String segment : (path.startsWith(root) ? path.substring(root.length()) : "").split("/", -1)) {
            segments.add(decoded(segment.replace("+", "%2B")));
        }
        return new RequestAddress(segments, query(request.getQueryString()));
    }

    private static Map<String, String> query(String text) throws HttpException {
        Map<String, String> query = new LinkedHashMap<>();
        if (text != null) {
            for (String pair : text.split("&", -1)) {
                int equals = pair.indexOf('=');
                query.putIfAbsent(decoded(equals < 0 ? pair : pair.substring(0, equals)),
                    equals < 0 ? "" : decoded(pair.substring(equals + 1)));
            }
        }
        return query;
    }

    private static String decoded(String part) throws HttpException {
        try {
            return URLDecoder.decode(part, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw HttpException.badRequest("The address has a percent sign that no two hexadecimal digits follow: "
                + Parameters.shown(part) + ".");
        }
    }
}
