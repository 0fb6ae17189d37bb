package io.eyewall.web;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Serves the pages, which are files of this jar and known by name, so that no path leads anywhere else. The names that pages have in
 * upstream's UI redirect, with what they show. Called by many threads.
 */
public final class PagesServlet extends HttpServlet {

    private static final String PAGES = "/io/eyewall/web/pages/";
    private static final String HOME = "index.html";

    private static final Map<String, String> TYPES = Map.of(
        "html", "text/html;charset=utf-8",
        "css", "text/css;charset=utf-8",
        "js", "text/javascript;charset=utf-8",
        "svg", "image/svg+xml");

    /** All files. */
    static final List<String> FILES = List.of(HOME, "style.css", "icon.svg", "app.js", "parts.js", "cluster.js", "topology.js",
        "component.js", "graph.js", "charts.js", "events.js", "places.js", "logs.js", "profile.js", "vendor/standalone.module.js",
        "vendor/dagre.esm.js", "vendor/uPlot.iife.min.js", "vendor/uPlot.min.css");

    private final Map<String, byte[]> contents = new HashMap<>();

    /** Reads the files. */
    public PagesServlet() {
        for (String file : FILES) {
            try (InputStream input = PagesServlet.class.getResourceAsStream(PAGES + file)) {
                contents.put(file, input.readAllBytes());
            } catch (IOException e) {
                throw new UncheckedIOException("This jar cannot be read: " + file, e);
            }
        }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = request.getRequestURI().substring(1);
        Optional<String> target = target(path, request);
        if (target.isPresent()) {
            response.setStatus(HttpServletResponse.SC_FOUND);
            response.setHeader("Location", target.get());
            return;
        }
        String file = path.isEmpty() ? HOME : path;
        byte[] content = contents.get(file);
        if (content == null) {
            response.setStatus(HttpServletResponse.SC_NOT_FOUND);
            response.setContentType("text/plain;charset=utf-8");
            response.getOutputStream().write("There is no such page. The UI begins at /.\n".getBytes(StandardCharsets.UTF_8));
            return;
        }
        response.setContentType(TYPES.get(file.substring(file.lastIndexOf('.') + 1)));
        response.setHeader("Cache-Control", "no-cache");
        response.setContentLength(content.length);
        response.getOutputStream().write(content);
    }

    /** Where a page of upstream's is now. */
    private static Optional<String> target(String path, HttpServletRequest request) {
        String id = encoded(request.getParameter("id"));
        String topology = encoded(request.getParameter("topology_id"));
        String host = encoded(request.getParameter("host"));
        String search = encoded(request.getParameter("search"));
        return switch (path) {
            case "index.html", "flux.html" -> Optional.of("./");
            case "topology.html", "visualize.html" -> Optional.of("./#/topology/" + id);
            case "component.html" -> Optional.of("./#/topology/" + topology + "/component/" + id);
            case "supervisor.html" -> Optional.of(id.isEmpty() ? "./#/host/" + host : "./#/supervisor/" + id);
            case "deep_search_result.html" -> Optional.of("./#/logs/" + id + "/" + search);
            case "search_result.html", "logviewer_search.html" -> Optional.of("./#/logs/" + topologyOf(request) + "/" + search);
            case "owner.html" -> Optional.of("./#/owner/" + id);
            default -> Optional.empty();
        };
    }

    /** The topology of a worker's log, whose name begins with it. */
    private static String topologyOf(HttpServletRequest request) {
        String file = request.getParameter("file");
        return encoded(file == null ? null : file.replaceFirst("/.*", ""));
    }

    private static String encoded(String value) {
        return value == null ? "" : URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
