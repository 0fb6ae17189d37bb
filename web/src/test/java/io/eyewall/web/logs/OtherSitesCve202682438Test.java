package io.eyewall.web.logs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.time.NanoClock;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** CVE-2026-82438: pages of other sites cannot read logs with the rights of somebody who looks at them, neither by CORS nor by JSONP. */
class OtherSitesCve202682438Test {

    private static final String ALLOWED = "Access-Control-Allow-Origin";

    @TempDir
    private Path directory;

    @Test
    void shouldLetOnlyTheUiAndListedSitesRead() throws Exception {
        try (RunningLogviewer viewer = new RunningLogviewer(directory, NanoClock.SYSTEM,
            Map.of("logviewer.allowed.origins", List.of("https://storm.example.org")))) {
            for (String origin : List.of("http://localhost:8080", "https://storm.example.org")) {
                HttpResponse<String> response = viewer.get("listLogs", "Origin", origin);
                assertEquals(Optional.of(origin), response.headers().firstValue(ALLOWED));
                assertEquals(Optional.of("true"), response.headers().firstValue("Access-Control-Allow-Credentials"));
            }
            for (String origin : List.of("http://evil.example", "null", "http://localhost", "http://localhost:8081",
                "https://storm.example.org.evil.example", "http://storm.example.org", "*")) {
                HttpResponse<String> response = viewer.get("listLogs", "Origin", origin);
                assertEquals(Optional.empty(), response.headers().firstValue(ALLOWED), origin);
                assertEquals(Optional.of("Origin"), response.headers().firstValue("Vary"), origin);
            }
            assertEquals(Optional.empty(), viewer.get("listLogs").headers().firstValue(ALLOWED));
        }
    }

    @Test
    void shouldWrapResponsesInAFunctionOnlyIfThatIsSwitchedOn() throws Exception {
        try (RunningLogviewer viewer = new RunningLogviewer(directory, NanoClock.SYSTEM, Map.of())) {
            HttpResponse<String> response = viewer.get("listLogs?callback=show");
            assertEquals(400, response.statusCode());
            assertTrue(response.body().contains("ui.jsonp.enabled: true"), response.body());
        }
        try (RunningLogviewer viewer = new RunningLogviewer(directory, NanoClock.SYSTEM, Map.of("ui.jsonp.enabled", true))) {
            assertTrue(viewer.get("listLogs?callback=show").body().startsWith("show(["));
            assertEquals(400, viewer.get("listLogs?callback=alert(1)//").statusCode());
        }
    }
}
