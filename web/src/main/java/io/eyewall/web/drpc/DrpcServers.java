package io.eyewall.web.drpc;

import io.eyewall.core.drpc.DrpcDaemon;
import io.eyewall.web.api.Callers;
import io.eyewall.web.server.Daemon;
import io.eyewall.web.server.ServerKeys;
import io.eyewall.web.server.WebServer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.storm.Config;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.security.auth.ServerAuthUtils;
import org.apache.storm.utils.ObjectReader;

/**
 * {@code storm drpc}: the DRPC server over Thrift and, unless {@code drpc.http.port} and {@code drpc.https.port} are negative, over HTTP.
 * Methods may be called from any thread.
 */
public final class DrpcServers implements Daemon {

    /** Those that accept connections and answer errors while all calls over HTTP wait. */
    private static final int OTHER_THREADS = 16;

    private final DrpcDaemon thrift;
    private final Optional<WebServer> http;

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
        http.ifPresent(server -> server.serve(DrpcServlet.ROOT + "*",
            new DrpcServlet(thrift.calls(), callers, ObjectReader.getInt(conf.get(Config.DRPC_MAX_BUFFER_SIZE)), mostCalls)));
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
        http.ifPresent(WebServer::close);
    }
}
