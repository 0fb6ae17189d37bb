package io.eyewall.web.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.eyewall.web.UiServer;
import io.eyewall.web.history.TopologyHistory;
import io.eyewall.web.server.Daemon;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.storm.DaemonConfig;
import org.apache.storm.LocalCluster;
import org.apache.storm.testing.TestGlobalCount;
import org.apache.storm.testing.TestWordCounter;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.testing.TmpPath;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;

/** The UI's web server on a free port, in front of a Nimbus in this JVM that is asked over Thrift. */
public final class RunningUi implements AutoCloseable {

    /** The name of a component that needs to be encoded in an address. */
    static final String ODD_COMPONENT = "sum/of ümlauts";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final UiServer server;
    private final TmpPath local;
    private final String address;

    /** Takes the user's name from a header, as a filter that has checked a password would. */
    public static final class UserFilter implements Filter {

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain) throws IOException, ServletException {
            String user = ((HttpServletRequest) request).getHeader("X-Test-User");
            chain.doFilter(user == null ? request : new HttpServletRequestWrapper((HttpServletRequest) request) {
                @Override
                public Principal getUserPrincipal() {
                    return () -> user;
                }

                @Override
                public String getRemoteUser() {
                    return user;
                }
            }, response);
        }
    }

    /** A response whose body is JSON. */
    record Answer(int status, JsonNode json, HttpResponse<String> whole) {
    }

    private RunningUi(UiServer server, TmpPath local) {
        this.server = server;
        this.local = local;
        this.address = server.addresses().get(0);
    }

    /** One host with room for two workers. */
    static LocalCluster cluster() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        return new LocalCluster.Builder().withSupervisors(1).withPortsPerSupervisor(2).withNimbusDaemon(true)
            .withDaemonConf(Map.of(DaemonConfig.NIMBUS_MONITOR_FREQ_SECS, 1, DaemonConfig.SUPERVISOR_MONITOR_FREQUENCY_SECS, 1,
                "nimbus.thrift.port", port, "task.heartbeat.frequency.secs", 1, "executor.metrics.frequency.secs", 1,
                "ui.filter.params", Map.of("ui.password", "hidden-1"), "nimbus.childopts", "-Dkey.password=hidden-2 -Xmx1g"))
            .build();
    }

    /** Submits words that are counted, and returns the topology's id. */
    static String submit(LocalCluster cluster, String name, Map<String, Object> conf) throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new TestWordSpout(), 2);
        builder.setBolt("count", new TestWordCounter(), 2).fieldsGrouping("words", new Fields("word"));
        builder.setBolt(ODD_COMPONENT, new TestGlobalCount()).globalGrouping("count");
        Map<String, Object> all = new HashMap<>(Map.of("my.api.secret", "hidden-3", "topology.stats.sample.rate", 1.0));
        all.putAll(conf);
        cluster.submitTopology(name, all, builder.createTopology());
        return cluster.getTopologySummaryByName(name).get_id();
    }

    /** A UI of the cluster with these settings over the cluster's. */
    static RunningUi of(LocalCluster cluster, Map<String, Object> settings) throws Daemon.StartException {
        Map<String, Object> conf = new HashMap<>(cluster.getDaemonConf());
        TmpPath local = new TmpPath();
        conf.put("storm.local.dir", local.getPath());
        conf.put("nimbus.seeds", List.of("localhost"));
        conf.put("ui.host", "localhost");
        conf.put("ui.port", 0);
        conf.put("ui.filter", UserFilter.class.getName());
        conf.putAll(settings);
        UiServer server = new UiServer(conf, TopologyHistory.open(conf, InstantSource.system()), InstantSource.system());
        server.start();
        return new RunningUi(server, local);
    }

    Answer get(String path, String... headers) throws Exception {
        return send("GET", path, null, headers);
    }

    Answer post(String path, String body, String... headers) throws Exception {
        return send("POST", path, body, headers);
    }

    Answer send(String method, String path, String body, String... headers) throws Exception {
        HttpResponse<String> response = text(method, ApiServlet.ROOT + path, body, headers);
        return new Answer(response.statusCode(), JSON.readTree(response.body()), response);
    }

    /** The same for an address that need not return JSON. */
    HttpResponse<String> text(String method, String path, String body, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + path))
            .method(method, body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** The lines of a response that does not end. */
    Stream<String> lines(String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + ApiServlet.ROOT + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofLines()).body();
    }

    @Override
    public void close() {
        server.close();
        local.close();
    }
}
