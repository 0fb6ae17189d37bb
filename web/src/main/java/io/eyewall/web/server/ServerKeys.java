package io.eyewall.web.server;

import java.util.List;

/**
 * The keys of one daemon's web server, which have the same ends and different beginnings.
 *
 * @param daemon the name of the daemon's command
 * @param prefix of the keys for HTTPS and of the one that closes the port for plain HTTP
 * @param http the prefix of port, host and filter
 * @param filters where the filter is looked for, in this order: the beginnings of keys
 */
public record ServerKeys(String daemon, String prefix, String http, List<String> filters) {

    /** {@code storm ui}. */
    public static final ServerKeys UI = new ServerKeys("ui", "ui.", "ui.", List.of("ui."));

    /** {@code storm logviewer}, whose users are by default those of the UI. */
    public static final ServerKeys LOGVIEWER = new ServerKeys("logviewer", "logviewer.", "logviewer.", List.of("logviewer.", "ui."));

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
