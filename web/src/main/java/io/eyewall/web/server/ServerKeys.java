package io.eyewall.web.server;

import java.util.List;
import java.util.Map;
import org.apache.storm.utils.ObjectReader;

/**
 * The keys of one daemon's web server, which have the same ends and different beginnings.
 *
 * @param daemon the name of the daemon's command
 * @param prefix of the keys for HTTPS and of the one that closes the port for plain HTTP
 * @param http the prefix of port, host and filter
 * @param filters where the filter is looked for, in this order: the beginnings of keys
 */
public record ServerKeys(String daemon, String prefix, String http, List<String> filters) {

    private static final int NO_PORT = -1;

    /** {@code storm ui}. */
    public static final ServerKeys UI = new ServerKeys("ui", "ui.", "ui.", List.of("ui."));

    /** {@code storm logviewer}, whose users are by default those of the UI. */
    public static final ServerKeys LOGVIEWER = new ServerKeys("logviewer", "logviewer.", "logviewer.", List.of("logviewer.", "ui."));

    /** {@code storm drpc}. */
    public static final ServerKeys DRPC = new ServerKeys("drpc", "drpc.", "drpc.http.", List.of("drpc.http."));

    /** Whether a port for HTTP or HTTPS is configured. */
    public boolean isConfigured(Map<String, Object> conf) {
        return ObjectReader.getInt(conf.get(port()), NO_PORT) >= 0 || ObjectReader.getInt(conf.get(https("port")), NO_PORT) >= 0;
    }

    /** The port for plain HTTP. */
    String port() {
        return http + "port";
    }

    /** The address to listen on. */
    String host() {
        return http + "host";
    }

    /** Whether there is no plain HTTP where there is HTTPS. */
    String disableHttp() {
        return prefix + "disable.http.binding";
    }

    /** A key of HTTPS. */
    String https(String end) {
        return prefix + "https." + end;
    }
}
