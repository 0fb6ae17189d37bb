package io.eyewall.web.drpc;

import io.eyewall.core.drpc.DrpcDaemon;
import io.eyewall.web.UiSettings;
import io.eyewall.web.api.Callers;
import io.eyewall.web.server.Daemon;
import io.eyewall.web.server.ServerKeys;
import io.eyewall.web.server.WebServer;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.storm.Config;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.security.auth.ServerAuthUtils;
import org.apache.storm.utils.ObjectReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code storm drpc}: the DRPC server over Thrift and, unless {@code drpc.http.port} and {@code drpc.https.port} are negative, over HTTP.
 * Methods may be called from any thread.
 */
public final class DrpcServers implements Daemon {

    /** Those that accept connections and answer errors while all calls over HTTP wait. */
    private static final int OTHER_THREADS = 16;

    /** For so long a server that closes waits until calls that have failed with it are answered. */
    private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(DrpcServers.class);

    private final DrpcDaemon thrift;
    private final Optional<WebServer> http;
    private final DrpcServlet servlet;

    /**
     * Binds the ports for Thrift; no call is answered before {@link #start()}.
     *
     * @throws IllegalArgumentException names the key whose value is unusable
     */
    public DrpcServers(Map<String, Object> conf, StormMetricsRegistry metrics) {
        int mostCalls = ObjectReader.getInt(conf.get(Config.DRPC_WORKER_THREADS));
        http = ServerKeys.DRPC.isConfigured(conf) ? Optional.of(new WebServer(ServerKeys.DRPC, conf, mostCalls + OTHER_THREADS))
            : Optional.empty();
        thrift = new DrpcDaemon(conf, metrics);
        Callers callers = new Callers(conf, ServerAuthUtils.getDrpcHttpCredentialsPlugin(conf));
        servlet =
            new DrpcServlet(thrift.calls(), callers, ObjectReader.getInt(conf.get(Config.DRPC_MAX_BUFFER_SIZE)), mostCalls, names(conf));
        http.ifPresent(server -> server.serve(DrpcServlet.ROOT + "*", servlet));
    }

    /** The names of this host, and of all DRPC servers as clients have them. */
    private static Set<String> names(Map<String, Object> conf) {
        Set<String> names = new TreeSet<>();
        for (Object key : List.of(Config.DRPC_SERVERS, UiSettings.DRPC_HOST, Config.STORM_LOCAL_HOSTNAME)) {
            names.addAll(ObjectReader.getStrings(conf.get(key)));
        }
        try {
            InetAddress host = InetAddress.getLocalHost();
            names.addAll(List.of(host.getHostName(), host.getCanonicalHostName()));
        } catch (UnknownHostException e) {
            LOG.warn("The name of this host cannot be resolved, so browsers cannot use it for DRPC: {}", e.getMessage());
        }
        return names.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Runs until the JVM is asked to end; ends with exit code 1 if a value or a port for HTTP is unusable. */
    public static void main(String[] arguments) {
        Daemon.run("drpc", DrpcServers::new);
    }

    @Override
    public void start() throws StartException {
        if (http.isPresent()) {
            http.get().start();
        }
        thrift.start();
    }

    /** Where functions are called over HTTP. */
    List<String> addresses() {
        return http.map(WebServer::addresses).orElse(List.of());
    }

    /** Stops serving. Calls that are under way fail. */
    @Override
    public void close() {
        thrift.close();
        servlet.awaitAnswers(ANSWERED_WITHIN);
        http.ifPresent(WebServer::close);
    }
}
