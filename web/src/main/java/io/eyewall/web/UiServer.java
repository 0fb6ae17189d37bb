package io.eyewall.web;

import io.eyewall.web.api.ApiServlet;
import io.eyewall.web.json.LogLinks;
import io.eyewall.web.server.ServerKeys;
import io.eyewall.web.server.WebServer;
import java.time.InstantSource;
import java.util.Map;

/** The web server of the UI, with the keys {@code ui.…}: the API and the pages. */
public final class UiServer extends WebServer {

    /**
     * Describes the server; binds no port yet.
     *
     * @param conf Storm's configuration
     * @param clock what ages are counted with
     * @throws IllegalArgumentException names the key whose value is unusable
     */
    public UiServer(Map<String, Object> conf, InstantSource clock) {
        super(ServerKeys.UI, conf, MOST_THREADS);
        serve(ApiServlet.ROOT + "*", new ApiServlet(conf, new UiSettings(conf).jsonp(), clock));
        serve("/", new PagesServlet());
        // The pages search the logs of all hosts.
        LogLinks logviewers = LogLinks.of(conf);
        connectTo(logviewers.scheme() + "://*:" + logviewers.port());
    }
}
