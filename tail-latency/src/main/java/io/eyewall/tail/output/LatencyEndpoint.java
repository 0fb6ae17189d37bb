package io.eyewall.tail.output;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.eyewall.tail.auto.HostCpu;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the recorded values of a worker over HTTP: {@code /metrics} for Prometheus, {@code /latency} for {@code storm latency},
 * {@code /queues} for {@code storm back-pressure}, {@code /worker} for {@code storm ui}, {@code /host} for a scheduler. It listens on all
 * addresses of the host and does not authenticate readers, like the worker's own port.
 */
final class LatencyEndpoint implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LatencyEndpoint.class);

    /** The number of threads, so that a slow or stuck reader does not delay the next one. */
    private static final int THREADS = 2;
    /** The time for a request and its response. */
    private static final long EXCHANGE_TIMEOUT_MS = 30_000;

    private final HttpServer server;
    private final ExchangeThreads threads;

    private LatencyEndpoint(HttpServer server, ExchangeThreads threads) {
        this.server = server;
        this.threads = threads;
    }

    /**
     * Starts to serve.
     *
     * @param pages what it serves beside {@code /metrics} and {@code /host}, by path
     * @throws IOException if the port cannot be bound
     */
    static LatencyEndpoint open(int port, HttpHandler metrics, Map<String, HttpHandler> pages) throws IOException {
        return open(port, metrics, pages, EXCHANGE_TIMEOUT_MS);
    }

    /** The same, with another time limit: a connection whose request and response take longer than {@code exchangeTimeoutMs} is closed. */
    static LatencyEndpoint open(int port, HttpHandler metrics, Map<String, HttpHandler> pages, long exchangeTimeoutMs)
            throws IOException {
        return open(new InetSocketAddress(port), metrics, pages, exchangeTimeoutMs);
    }

    /** The same, at an address, with another page for Prometheus. */
    static LatencyEndpoint open(InetSocketAddress address, HttpHandler metrics, Map<String, HttpHandler> pages) throws IOException {
        return open(address, metrics, pages, EXCHANGE_TIMEOUT_MS);
    }

    private static LatencyEndpoint open(InetSocketAddress address, HttpHandler metrics, Map<String, HttpHandler> pages,
            long exchangeTimeoutMs) throws IOException {
        HttpServer server = HttpServer.create(address, 0);
        server.createContext("/metrics", metrics);
        pages.forEach(server::createContext);
        server.createContext("/host", new HostPage(HostCpu.SYSTEM));
        ExchangeThreads threads = new ExchangeThreads(THREADS, exchangeTimeoutMs, LatencyEndpoint::daemon);
        server.setExecutor(threads);
        // The server's own thread inherits the daemon flag of the thread that starts it; that thread must not keep a worker from ending,
        // either.
        Thread starter = daemon(server::start);
        starter.start();
        try {
            starter.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new LatencyEndpoint(server, threads);
    }

    /** The port; chosen by the system if 0 was requested. */
    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }

    /** A thread whose failure does not end the worker. */
    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "latency-endpoint");
        thread.setDaemon(true);
        thread.setUncaughtExceptionHandler((ended, cause) -> LOG.warn("A response of the latency endpoint failed.", cause));
        return thread;
    }
}
