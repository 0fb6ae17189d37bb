package io.eyewall.tail.output;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.prometheus.metrics.exporter.httpserver.MetricsHandler;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves what a worker has recorded over HTTP: {@code /metrics} to Prometheus, {@code /latency} to {@code storm latency}. It listens on all
 * of the host's addresses and asks nobody who they are, as the worker's own port does.
 */
final class LatencyEndpoint implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LatencyEndpoint.class);

    /** A reader that is slow, or stuck, does not keep the next one waiting. */
    private static final int THREADS = 2;
    /** For a question and its answer. */
    private static final long EXCHANGE_TIMEOUT_MS = 30_000;

    private final HttpServer server;
    private final ExchangeThreads threads;

    private LatencyEndpoint(HttpServer server, ExchangeThreads threads) {
        this.server = server;
        this.threads = threads;
    }

    /**
     * Begins to serve.
     *
     * @throws IOException if the port cannot be bound
     */
    static LatencyEndpoint open(int port, MultiCollector metrics, HttpHandler latencies) throws IOException {
        return open(port, metrics, latencies, EXCHANGE_TIMEOUT_MS);
    }

    /** The same, with connections closed on which question and answer take longer than {@code exchangeTimeoutMs}. */
    static LatencyEndpoint open(int port, MultiCollector metrics, HttpHandler latencies, long exchangeTimeoutMs) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(port), 0);
        PrometheusRegistry registry = new PrometheusRegistry();
        registry.register(metrics);
        server.createContext("/metrics", new MetricsHandler(registry));
        server.createContext("/latency", latencies);
        ExchangeThreads threads = new ExchangeThreads(THREADS, exchangeTimeoutMs, LatencyEndpoint::daemon);
        server.setExecutor(threads);
        // The server's own thread takes after the one that starts it, and must not keep a worker from ending either.
        Thread starter = daemon(server::start);
        starter.start();
        try {
            starter.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new LatencyEndpoint(server, threads);
    }

    /** The port, which the system chose if 0 was asked for. */
    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }

    /** A thread whose end, whatever the cause, is not the worker's. */
    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "latency-endpoint");
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((ended, cause) -> LOG.warn("An answer of the latency endpoint failed.", cause));
        return thread;
    }
}
