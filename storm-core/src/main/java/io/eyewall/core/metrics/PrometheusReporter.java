package io.eyewall.core.metrics;

import com.codahale.metrics.MetricRegistry;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.eyewall.client.settings.metrics.PrometheusConfiguration;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.storm.daemon.metrics.reporters.PreparableReporter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the metrics of a daemon over HTTP at {@code /metrics}, in Prometheus's text format, to everybody. Name it in
 * {@code storm.daemon.metrics.reporter.plugins}. A port that cannot be bound leaves a warning in the log, and the daemon goes on.
 */
public final class PrometheusReporter implements PreparableReporter {

    private static final Logger LOG = LoggerFactory.getLogger(PrometheusReporter.class);
    /** So that a slow reader does not delay the next one. */
    private static final int THREADS = 2;

    private MetricRegistry registry;
    private int port;
    /** Null unless it runs. */
    private HttpServer server;
    private ExecutorService threads;

    @Override
    public void prepare(MetricRegistry metrics, Map<String, Object> conf) {
        registry = metrics;
        port = new PrometheusConfiguration(conf).port();
    }

    @Override
    public void start() {
        try {
            server = HttpServer.create(new InetSocketAddress(port), 0);
        } catch (IOException e) {
            LOG.warn("Metrics are not served: port {} cannot be bound ({}). Set {} to a free port.", port, e.getMessage(),
                PrometheusConfiguration.PORT);
            return;
        }
        threads = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "prometheus");
            thread.setDaemon(true);
            return thread;
        });
        server.setExecutor(threads);
        server.createContext("/metrics", this::respond);
        server.start();
        LOG.info("Metrics are served at port {}.", boundPort());
    }

    @Override
    public void stop() {
        if (server != null) {
            server.stop(0);
            threads.shutdownNow();
            server = null;
        }
    }

    /** The port that it listens on. */
    int boundPort() {
        return server.getAddress().getPort();
    }

    private void respond(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] page = PrometheusText.of(registry).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
        }
    }
}
