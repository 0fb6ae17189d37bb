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
     * The address of a request.
     *
     * @param root the path, with a slash at its end, that the segments are below
     * @throws HttpException if a percent sign encodes nothing
     */
    public static RequestAddress of(String root, HttpServletRequest request) throws HttpException {
        return new RequestAddress(segments(root, request.getRequestURI()), query(request.getQueryString()));
    }

    private static List<String> segments(String root, String path) throws HttpException {
        String below = path.startsWith(root) ? path.substring(root.length()).replaceFirst("/$", "") : "";
        List<String> segments = new ArrayList<>();
        for (String segment : below.split("/", -1)) {
            segments.add(decoded(segment.replace("+", "%2B")));
        }
        return segments;
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
