package io.eyewall.web;

import io.eyewall.web.api.ApiServlet;
import io.eyewall.web.history.TopologyHistory;
import io.eyewall.web.json.LogLinks;
import io.eyewall.web.server.ServerKeys;
import io.eyewall.web.server.WebServer;
import java.time.InstantSource;
import java.util.Map;

/** The web server of the UI, with the keys {@code ui.…}: the API and the pages. */
public final class UiServer extends WebServer {

    private final TopologyHistory history;

    /**
     * Describes the server; binds no port yet.
     *
     * @param conf Storm's configuration
     * @param history what topologies did before; it begins, and is closed, with the server
     * @param clock what ages are counted with
     * @throws IllegalArgumentException names the key whose value is unusable
     */
    public UiServer(Map<String, Object> conf, TopologyHistory history, InstantSource clock) {
        super(ServerKeys.UI, conf, MAX_THREADS);
        this.history = history;
        serve(ApiServlet.ROOT + "*", new ApiServlet(conf, new UiSettings(conf).jsonp(), history, clock));
        serve("/", new PagesServlet());
        // The pages search the logs of all hosts.
        LogLinks logviewers = LogLinks.of(conf);
        connectTo(logviewers.scheme() + "://*:" + logviewers.port());
    }

    @Override
    public void start() throws StartException {
        super.start();
        history.start();
    }

    @Override
    public void close() {
        super.close();
        history.close();
    }
}
