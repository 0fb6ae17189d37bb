package io.eyewall.tail.output;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.prometheus.metrics.exporter.common.PrometheusScrapeHandler;
import io.prometheus.metrics.exporter.httpserver.HttpExchangeAdapter;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What Prometheus reads. Prometheus's own handler logs each reader that is gone before it has read everything, and anybody can be such a
 * reader any number of times; it also returns a stack trace. This one closes the connection. Safe for any thread.
 */
final class PrometheusPage implements HttpHandler {

    private static final Logger LOG = LoggerFactory.getLogger(PrometheusPage.class);

    private final PrometheusScrapeHandler metrics;
    private final AtomicLong failures = new AtomicLong();

    PrometheusPage(MultiCollector... collectors) {
        PrometheusRegistry registry = new PrometheusRegistry();
        for (MultiCollector collector : collectors) {
            registry.register(collector);
        }
        metrics = new PrometheusScrapeHandler(registry);
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        metrics.handleRequest(new HttpExchangeAdapter(exchange) {
            @Override
            public void handleException(IOException gone) throws IOException {
                throw gone;
            }

            @Override
            public void handleException(RuntimeException failure) {
                long count = failures.incrementAndGet();
                if (Long.bitCount(count) == 1) {
                    LOG.warn("The metrics for Prometheus cannot be served, number {} by now.", count, failure);
                }
                throw failure;
            }
        });
    }
}
