package io.eyewall.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.web.history.TopologyHistory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PagesServletTest {

    private static final Pattern REFERENCE = Pattern.compile("(?:from |src=|href=)\"(?:\\./)?([\\w./]+\\.(?:js|css|svg))\"");

    private static UiServer server;

    @BeforeAll
    static void start() throws Exception {
        Map<String, Object> conf = Utils.readDefaultConfig();
        conf.putAll(Map.of("ui.host", "localhost", "ui.port", 0));
        server = new UiServer(conf, TopologyHistory.none("No history in this test."), InstantSource.system());
        server.start();
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @Test
    void shouldServeEveryFileWithItsType() throws Exception {
        for (String file : PagesServlet.FILES) {
            HttpResponse<String> response = get(file.equals("index.html") ? "" : file);
            assertEquals(200, response.statusCode(), file);
            assertTrue(response.headers().firstValue("Content-Type").orElse("").startsWith(file.endsWith("js") ? "text/javascript"
                : file.endsWith("css") ? "text/css" : file.endsWith("svg") ? "image/svg+xml" : "text/html"), file);
        }
    }

    @Test
    void shouldServeWhateverAPageRefersToAndReferToNothingElsewhere() throws Exception {
        int references = 0;
        for (String file : PagesServlet.FILES) {
            String content = get(file.equals("index.html") ? "" : file).body();
            if (!file.startsWith("vendor/")) {
                assertFalse(content.replace("http://www.w3.org/2000/svg", "").contains("://"), file);
                for (MatchResult reference : REFERENCE.matcher(content).results().toList()) {
                    assertTrue(PagesServlet.FILES.contains(reference.group(1)), file + " refers to " + reference.group(1));
                    references++;
                }
            }
        }
        assertTrue(references > 12, "so many were found: " + references);
    }

    @Test
    void shouldRedirectUpstreamsPages() throws Exception {
        Map<String, String> targets = new HashMap<>(Map.of(
            "deep_search_result.html?id=a-1-1&search=a%20b", "./#/logs/a-1-1/a%20b",
            "search_result.html?file=a-1-1%2F6700%2Fworker.log&search=x", "./#/logs/a-1-1/x"));
        targets.putAll(Map.of(
            "index.html", "./", "flux.html", "./",
            "topology.html?id=a-1-1", "./#/topology/a-1-1", "visualize.html?id=a-1-1", "./#/topology/a-1-1",
            "component.html?id=sum%2Fof%20all&topology_id=a-1-1", "./#/topology/a-1-1/component/sum%2Fof%20all",
            "supervisor.html?id=s-1", "./#/supervisor/s-1", "supervisor.html?host=h", "./#/host/h",
            "owner.html?id=bert", "./#/owner/bert",
            "topology.html?id=%0d%0aSet-Cookie:x", "./#/topology/%0D%0ASet-Cookie%3Ax"));
        for (Map.Entry<String, String> target : targets.entrySet()) {
            HttpResponse<String> response = get(target.getKey());
            assertEquals(302, response.statusCode(), target.getKey());
            assertEquals(target.getValue(), response.headers().firstValue("Location").orElse(""), target.getKey());
        }
    }

    @Test
    void shouldServeNothingElse() throws Exception {
        for (String path : List.of("app.js.map", "vendor/", "..%2f..%2fetc%2fpasswd", "logviewer.html", "vendor/%2e%2e/app.js")) {
            int status = get(path).statusCode();
            assertTrue(status == 404 || status == 400, path + ": " + status);
        }
    }

    private static HttpResponse<String> get(String path) throws Exception {
        return HttpClient.newHttpClient().send(HttpRequest.newBuilder(URI.create(server.addresses().get(0) + "/" + path)).build(),
            HttpResponse.BodyHandlers.ofString());
    }
}
