package io.eyewall.web;

import io.eyewall.web.api.ApiServlet;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletResponse;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.DaemonConfig;
import org.apache.storm.logging.filters.AccessLoggingFilter;
import org.apache.storm.utils.ObjectReader;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.ssl.KeyStoreScanner;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * The web server of the UI: {@code ui.port} and {@code ui.https.port}, the filter of {@code ui.filter} before everything, the API and the
 * pages. Methods may be called from any thread.
 */
public final class UiServer implements AutoCloseable {

    private static final int MOST_THREADS = 64;
    private static final int LEAST_THREADS = 4;
    private static final int IDLE_MS = 60_000;
    private static final int NO_PORT = -1;
    private static final int DEFAULT_HEADER_BYTES = 4_096;

    /** What browsers may load: nothing from elsewhere, and no page of another site may show this one. */
    private static final Map<String, String> HEADERS = new TreeMap<>(Map.of(
        "Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
        "X-Content-Type-Options", "nosniff",
        "X-Frame-Options", "DENY",
        "Referrer-Policy", "same-origin"));

    private final Map<String, Object> conf;
    private final Server server;

    /** That the server could not start; the message says why and what to do. */
    public static final class StartException extends Exception {

        private static final long serialVersionUID = 1L;

        StartException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /**
     * Describes the server; binds no port yet.
     *
     * @param conf Storm's configuration
     * @param clock what ages are counted with
     * @throws IllegalArgumentException names the key whose value is unusable
     */
    public UiServer(Map<String, Object> conf, InstantSource clock) {
        this.conf = conf;
        QueuedThreadPool threads = new QueuedThreadPool(MOST_THREADS, LEAST_THREADS, IDLE_MS);
        threads.setName("ui");
        server = new Server(threads);
        ErrorHandler errors = new ErrorHandler();
        errors.setShowStacks(false);
        errors.setShowCauses(false);
        server.setErrorHandler(errors);
        addConnectors();
        ServletContextHandler context = new ServletContextHandler("/");
        context.setErrorHandler(errors);
        context.getServletHandler().setDecodeAmbiguousURIs(true);
        Filter headers = (request, response, chain) -> {
            HEADERS.forEach(((HttpServletResponse) response)::setHeader);
            chain.doFilter(request, response);
        };
        addFilter(context, new FilterHolder(headers));
        addFilter(context, new FilterHolder(new AccessLoggingFilter()));
        addUsersFilter(context);
        context.addServlet(new ServletHolder(new ApiServlet(conf, new UiSettings(conf).jsonp(), clock)), ApiServlet.ROOT + "*");
        context.addServlet(new ServletHolder(new PagesServlet()), "/");
        server.setHandler(context);
    }

    /**
     * Binds the ports and begins to serve.
     *
     * @throws StartException if a port is taken, or a key store or filter is unusable
     */
    public void start() throws StartException {
        try {
            server.start();
        } catch (Exception e) {
            close();
            throw new StartException("cannot serve on " + addresses() + ": " + e.getMessage() + ". Change ui.host, ui.port or the keys"
                + " ui.https.…, or end what uses the port.", e);
        }
    }

    /** Where the server listens: the configured port before it has started, and then the real one. */
    public List<String> addresses() {
        return Arrays.stream(server.getConnectors()).map(ServerConnector.class::cast)
            .map(connector -> scheme(connector) + "://" + connector.getHost() + ":" + port(connector)).toList();
    }

    /** Stops serving. */
    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("The web server does not stop.", e);
        }
    }

    private static String scheme(ServerConnector connector) {
        return connector.getProtocols().contains("ssl") ? "https" : "http";
    }

    private static int port(ServerConnector connector) {
        return connector.getLocalPort() > 0 ? connector.getLocalPort() : connector.getPort();
    }

    private void addConnectors() {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(number(DaemonConfig.UI_HEADER_BUFFER_BYTES, DEFAULT_HEADER_BYTES));
        // The names of components may contain a slash.
        http.setUriCompliance(UriCompliance.from("DEFAULT,AMBIGUOUS_PATH_SEPARATOR"));
        int securePort = number(DaemonConfig.UI_HTTPS_PORT, NO_PORT);
        int port = number(DaemonConfig.UI_PORT, NO_PORT);
        if (securePort >= 0) {
            HttpConfiguration https = new HttpConfiguration(http);
            // Without a check of the host name in TLS: the clients of an API often use addresses.
            https.addCustomizer(new SecureRequestCustomizer(false));
            SslContextFactory.Server tls = tls();
            add(new ServerConnector(server, tls, new HttpConnectionFactory(https)), securePort);
        }
        if (port >= 0 && !(securePort >= 0 && ObjectReader.getBoolean(conf.get(DaemonConfig.UI_DISABLE_HTTP_BINDING), true))) {
            add(new ServerConnector(server, new HttpConnectionFactory(http)), port);
        }
        if (server.getConnectors().length == 0) {
            throw new IllegalArgumentException("ui.port is " + conf.get(DaemonConfig.UI_PORT) + " and ui.https.port is "
                + conf.get(DaemonConfig.UI_HTTPS_PORT) + ": set one of them to a port.");
        }
    }

    private void add(ServerConnector connector, int port) {
        Object host = conf.get(DaemonConfig.UI_HOST);
        connector.setHost(host == null ? "0.0.0.0" : host.toString());
        connector.setPort(port);
        server.addConnector(connector);
    }

    private SslContextFactory.Server tls() {
        SslContextFactory.Server tls = new SslContextFactory.Server();
        String keyStore = text(DaemonConfig.UI_HTTPS_KEYSTORE_PATH);
        if (keyStore == null) {
            throw new IllegalArgumentException(DaemonConfig.UI_HTTPS_PORT + " is set, but not " + DaemonConfig.UI_HTTPS_KEYSTORE_PATH
                + ": name the key store with the certificate.");
        }
        tls.setKeyStorePath(keyStore);
        tls.setKeyStorePassword(text(DaemonConfig.UI_HTTPS_KEYSTORE_PASSWORD));
        tls.setKeyManagerPassword(text(DaemonConfig.UI_HTTPS_KEY_PASSWORD));
        if (text(DaemonConfig.UI_HTTPS_KEYSTORE_TYPE) != null) {
            tls.setKeyStoreType(text(DaemonConfig.UI_HTTPS_KEYSTORE_TYPE));
        }
        if (text(DaemonConfig.UI_HTTPS_TRUSTSTORE_PATH) != null) {
            tls.setTrustStorePath(text(DaemonConfig.UI_HTTPS_TRUSTSTORE_PATH));
            tls.setTrustStorePassword(text(DaemonConfig.UI_HTTPS_TRUSTSTORE_PASSWORD));
            if (text(DaemonConfig.UI_HTTPS_TRUSTSTORE_TYPE) != null) {
                tls.setTrustStoreType(text(DaemonConfig.UI_HTTPS_TRUSTSTORE_TYPE));
            }
        }
        tls.setNeedClientAuth(ObjectReader.getBoolean(conf.get(DaemonConfig.UI_HTTPS_NEED_CLIENT_AUTH), false));
        tls.setWantClientAuth(ObjectReader.getBoolean(conf.get(DaemonConfig.UI_HTTPS_WANT_CLIENT_AUTH), false));
        if (ObjectReader.getBoolean(conf.get(DaemonConfig.UI_HTTPS_ENABLE_SSL_RELOAD), false)) {
            server.addBean(new KeyStoreScanner(tls));
        }
        return tls;
    }

    private void addUsersFilter(ServletContextHandler context) {
        String name = text(DaemonConfig.UI_FILTER);
        if (name == null) {
            return;
        }
        Class<?> type;
        try {
            type = Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(DaemonConfig.UI_FILTER + ": there is no class " + name
                + ". Put its jar into extlib-daemon/.", e);
        } catch (LinkageError e) {
            throw new IllegalArgumentException(DaemonConfig.UI_FILTER + ": " + name + " needs a class that is missing: " + e.getMessage()
                + ". Put its jar into extlib-daemon/; a filter for javax.servlet cannot be used, only one for jakarta.servlet.", e);
        }
        if (!Filter.class.isAssignableFrom(type)) {
            throw new IllegalArgumentException(DaemonConfig.UI_FILTER + ": " + name
                + " is not a jakarta.servlet.Filter. A filter for javax.servlet cannot be used.");
        }
        FilterHolder holder = new FilterHolder(type.asSubclass(Filter.class));
        if (conf.get(DaemonConfig.UI_FILTER_PARAMS) instanceof Map<?, ?> parameters) {
            parameters.forEach((key, value) -> holder.setInitParameter(String.valueOf(key), String.valueOf(value)));
        }
        addFilter(context, holder);
    }

    private static void addFilter(ServletContextHandler context, FilterHolder filter) {
        context.addFilter(filter, "/*", EnumSet.of(DispatcherType.REQUEST));
    }

    private String text(String key) {
        Object value = conf.get(key);
        return value == null || value.toString().isEmpty() ? null : value.toString();
    }

    private int number(String key, int otherwise) {
        return ObjectReader.getInt(conf.get(key), otherwise);
    }
}
