package io.eyewall.web.server;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A daemon's web server: its ports for HTTP and HTTPS, headers that protect who reads, its users' filter before everything, and the
 * servlets that a subclass adds. Methods may be called from any thread.
 */
public class WebServer implements Daemon {

    /** How many requests a daemon serves at a time unless it needs more. */
    public static final int MAX_THREADS = 64;

    /** Every address of the host, which is where a server listens unless it is told. */
    public static final String EVERYWHERE = "0.0.0.0";

    private static final Logger LOG = LoggerFactory.getLogger(WebServer.class);
    private static final int MIN_THREADS = 4;
    private static final int IDLE_MS = 60_000;
    private static final int NO_PORT = -1;
    private static final int DEFAULT_HEADER_BYTES = 4_096;
    private static final String FILTER = "filter";

    /** What browsers may load: nothing from elsewhere, and no page of another site may show this one. */
    private static final String POLICY = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";
    private static final Map<String, String> HEADERS = new TreeMap<>(Map.of(
        "X-Content-Type-Options", "nosniff",
        "X-Frame-Options", "DENY",
        "Referrer-Policy", "same-origin"));

    private final ServerKeys keys;
    private final Map<String, Object> conf;
    private final Server server;
    private final ServletContextHandler context = new ServletContextHandler("/");
    private String policy = POLICY;

    /**
     * Describes a server that serves nothing; binds no port yet.
     *
     * @param conf Storm's configuration
     * @param mostThreads how many requests are served at a time
     * @throws IllegalArgumentException names the key whose value is unusable
     */
    public WebServer(ServerKeys keys, Map<String, Object> conf, int mostThreads) {
        this.keys = keys;
        this.conf = conf;
        QueuedThreadPool threads = new QueuedThreadPool(mostThreads, MIN_THREADS, IDLE_MS);
        threads.setName(keys.daemon());
        server = new Server(threads);
        ErrorHandler errors = new ErrorHandler();
        errors.setShowStacks(false);
        errors.setShowCauses(false);
        server.setErrorHandler(errors);
        addConnectors();
        context.setErrorHandler(errors);
        context.getServletHandler().setDecodeAmbiguousURIs(true);
        Filter headers = (request, response, chain) -> {
            HEADERS.forEach(((HttpServletResponse) response)::setHeader);
            ((HttpServletResponse) response).setHeader("Content-Security-Policy", policy);
            chain.doFilter(request, response);
        };
        addFilter(new FilterHolder(headers));
        addFilter(new FilterHolder(new AccessLoggingFilter()));
        addUsersFilter();
        server.setHandler(context);
    }

    /** Adds a servlet; before {@link #start()}. */
    public final void serve(String paths, Servlet servlet) {
        context.addServlet(new ServletHolder(servlet), paths);
    }

    /**
     * Lets pages ask other servers as well, and show pages of theirs in frames, by a source of the Content Security Policy; before
     * {@link #start()}.
     */
    protected final void connectTo(String source) {
        policy = POLICY + "; connect-src 'self' " + source + "; frame-src " + source;
    }

    /** Binds the ports and begins to serve. */
    @Override
    public void start() throws StartException {
        try {
            server.start();
            LOG.info("storm {} serves {}", keys.daemon(), addresses());
        } catch (Exception e) {
            close();
            throw new StartException("cannot serve on " + addresses() + ": " + e.getMessage() + ". Change " + keys.host() + ", "
                + keys.port() + " or the keys " + keys.https("…") + ", or end what uses the port.", e);
        }
    }

    /** Where the server listens: the configured port before it has started, and then the real one. */
    public final List<String> addresses() {
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
        int securePort = number(keys.https("port"), NO_PORT);
        int port = number(keys.port(), NO_PORT);
        if (securePort >= 0) {
            HttpConfiguration https = new HttpConfiguration(http);
            // Without a check of the host name in TLS: the clients of an API often use addresses.
            https.addCustomizer(new SecureRequestCustomizer(false));
            SslContextFactory.Server tls = tls();
            add(new ServerConnector(server, tls, new HttpConnectionFactory(https)), securePort);
        }
        if (port >= 0 && !(securePort >= 0 && ObjectReader.getBoolean(conf.get(keys.disableHttp()), true))) {
            add(new ServerConnector(server, new HttpConnectionFactory(http)), port);
        }
        if (server.getConnectors().length == 0) {
            throw new IllegalArgumentException(keys.port() + " is " + conf.get(keys.port()) + " and " + keys.https("port") + " is "
                + conf.get(keys.https("port")) + ": set one of them to a port.");
        }
    }

    private void add(ServerConnector connector, int port) {
        Object host = conf.get(keys.host());
        connector.setHost(host == null ? EVERYWHERE : host.toString());
        connector.setPort(port);
        server.addConnector(connector);
    }

    private SslContextFactory.Server tls() {
        SslContextFactory.Server tls = new SslContextFactory.Server();
        String keyStore = text(keys.https("keystore.path"));
        if (keyStore == null) {
            throw new IllegalArgumentException(keys.https("port") + " is set, but not " + keys.https("keystore.path")
                + ": name the key store with the certificate.");
        }
        tls.setKeyStorePath(keyStore);
        tls.setKeyStorePassword(text(keys.https("keystore.password")));
        tls.setKeyManagerPassword(text(keys.https("key.password")));
        if (text(keys.https("keystore.type")) != null) {
            tls.setKeyStoreType(text(keys.https("keystore.type")));
        }
        if (text(keys.https("truststore.path")) != null) {
            tls.setTrustStorePath(text(keys.https("truststore.path")));
            tls.setTrustStorePassword(text(keys.https("truststore.password")));
            if (text(keys.https("truststore.type")) != null) {
                tls.setTrustStoreType(text(keys.https("truststore.type")));
            }
        }
        tls.setNeedClientAuth(ObjectReader.getBoolean(conf.get(keys.https("need.client.auth")), false));
        tls.setWantClientAuth(ObjectReader.getBoolean(conf.get(keys.https("want.client.auth")), false));
        if (ObjectReader.getBoolean(conf.get(keys.https("enable.ssl.reload")), false)) {
            server.addBean(new KeyStoreScanner(tls));
        }
        return tls;
    }

    private void addUsersFilter() {
        Optional<String> prefix = keys.filters().stream().filter(one -> text(one + FILTER) != null).findFirst();
        if (prefix.isEmpty()) {
            return;
        }
        String key = prefix.get() + FILTER;
        FilterHolder holder = filter(key, text(key));
        if (conf.get(key + ".params") instanceof Map<?, ?> parameters) {
            parameters.forEach((name, value) -> holder.setInitParameter(String.valueOf(name), String.valueOf(value)));
        }
        addFilter(holder);
    }

    private static FilterHolder filter(String key, String name) {
        try {
            Class<?> type = Class.forName(name);
            if (JavaxFilter.isOne(type)) {
                return new FilterHolder(new JavaxFilter(type));
            }
            if (!Filter.class.isAssignableFrom(type)) {
                throw new IllegalArgumentException(key + ": " + name + " is neither a jakarta.servlet.Filter nor a javax.servlet.Filter.");
            }
            return new FilterHolder(type.asSubclass(Filter.class));
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(key + ": there is no class " + name + ". Put its jar into extlib-daemon/.", e);
        } catch (LinkageError e) {
            throw new IllegalArgumentException(key + ": " + name + " needs a class that is missing: " + e.getMessage()
                + ". Put its jar into extlib-daemon/; that of javax/servlet is javax.servlet-api-4.0.1.jar.", e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(key + ": a " + name + " cannot be made: it needs a public constructor without arguments.",
                e);
        }
    }

    private void addFilter(FilterHolder filter) {
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
