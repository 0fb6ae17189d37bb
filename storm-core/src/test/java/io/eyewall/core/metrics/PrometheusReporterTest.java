package io.eyewall.core.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.MetricRegistry;
import io.eyewall.client.settings.metrics.PrometheusConfiguration;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.apache.storm.daemon.metrics.reporters.PreparableReporter;
import org.junit.jupiter.api.Test;

class PrometheusReporterTest {

    @Test
    void shouldServeTheFiguresOfADaemon() throws Exception {
        MetricRegistry metrics = new MetricRegistry();
        metrics.register("cluster:machines-wanted", (Gauge<Integer>) () -> 3);
        metrics.register("nimbus:leader", (Gauge<Boolean>) () -> true);
        metrics.register("nimbus:name", (Gauge<String>) () -> "one");
        metrics.meter("nimbus:num-calls").mark(5);
        metrics.timer("nimbus:round").update(Duration.ofMillis(250));
        metrics.histogram("nimbus:sizes").update(7);
        PrometheusReporter reporter = new PrometheusReporter();
        reporter.prepare(metrics, Map.of(PrometheusConfiguration.PORT, 0));
        reporter.start();
        try {
            HttpResponse<String> response = HttpClient.newHttpClient().send(
                HttpRequest.newBuilder(URI.create("http://localhost:" + reporter.boundPort() + "/metrics")).build(),
                HttpResponse.BodyHandlers.ofString());

            assertEquals(200, response.statusCode());
            assertEquals("text/plain; version=0.0.4; charset=utf-8", response.headers().firstValue("Content-Type").orElseThrow());
            assertEquals("""
                # TYPE storm_cluster_machines_wanted gauge
                storm_cluster_machines_wanted 3.0
                # TYPE storm_nimbus_leader gauge
                storm_nimbus_leader 1.0
                # TYPE storm_nimbus_num_calls_total counter
                storm_nimbus_num_calls_total 5.0
                # TYPE storm_nimbus_round_seconds summary
                storm_nimbus_round_seconds{quantile="0.5"} 0.25
                storm_nimbus_round_seconds{quantile="0.9"} 0.25
                storm_nimbus_round_seconds{quantile="0.99"} 0.25
                storm_nimbus_round_seconds_count 1
                # TYPE storm_nimbus_sizes summary
                storm_nimbus_sizes{quantile="0.5"} 7.0
                storm_nimbus_sizes{quantile="0.9"} 7.0
                storm_nimbus_sizes{quantile="0.99"} 7.0
                storm_nimbus_sizes_count 1
                """, response.body());
        } finally {
            reporter.stop();
        }
    }

    @Test
    void shouldLeaveTheDaemonAloneWhenThePortIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            PreparableReporter reporter = new PrometheusReporter();
            reporter.prepare(new MetricRegistry(), Map.of(PrometheusConfiguration.PORT, taken.getLocalPort()));
            reporter.start();
            reporter.stop();
            assertTrue(taken.isBound());
        }
    }

    @Test
    void shouldRefuseAPortThatIsNone() {
        assertEquals(9464, new PrometheusConfiguration().port());
        String message = assertThrows(IllegalArgumentException.class,
            () -> new PrometheusConfiguration(Map.of(PrometheusConfiguration.PORT, 70_000))).getMessage();
        assertTrue(message.startsWith("storm.daemon.metrics.reporter.prometheus.port is '70000', but must be "), message);
    }
}
