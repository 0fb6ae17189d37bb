package io.eyewall.web.json;

import java.util.Map;
import org.apache.storm.DaemonConfig;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.utils.Utils;
import org.apache.storm.utils.WebAppUtils;

/**
 * Addresses of log files at the logviewers of other hosts.
 *
 * @param scheme {@code https} if the cluster's logviewers have a port for it, else {@code http}
 * @param port the port of every logviewer
 */
public record LogLinks(String scheme, int port) {

    private static final int DEFAULT_PORT = 8000;

    /** The logviewers of a cluster, by their keys in its configuration. */
    public static LogLinks of(Map<String, Object> conf) {
        int securePort = ObjectReader.getInt(conf.get(DaemonConfig.LOGVIEWER_HTTPS_PORT), -1);
        return securePort >= 0 ? new LogLinks("https", securePort)
            : new LogLinks("http", ObjectReader.getInt(conf.get(DaemonConfig.LOGVIEWER_PORT), DEFAULT_PORT));
    }

    /** The log of a daemon, such as {@code nimbus.log}. */
    String daemon(String host, String file) {
        return address(host) + "daemonlog?file=" + Utils.urlEncodeUtf8(file);
    }

    /** The log of a worker. */
    String worker(String topologyId, String host, int workerPort) {
        return address(host) + "log?file=" + Utils.urlEncodeUtf8(WebAppUtils.logsFilename(topologyId, String.valueOf(workerPort)));
    }

    /** The log of an instance, which is beside that of its container. */
    String instance(String topologyId, String host, int containerPort, String name) {
        return address(host) + "log?file=" + Utils.urlEncodeUtf8(topologyId + "/" + containerPort + "/" + name + ".log");
    }

    /** The tuples that a component with debugging on has logged. */
    String events(String topologyId, String host, int workerPort) {
        return address(host) + "log?file=" + Utils.urlEncodeUtf8(WebAppUtils.eventLogsFilename(topologyId, String.valueOf(workerPort)));
    }

    /** What a worker's profiler has written. */
    public String dumps(String topologyId, String host, long workerPort) {
        return address(host) + "dumps/" + Utils.urlEncodeUtf8(topologyId) + "/" + Utils.urlEncodeUtf8(host) + ":" + workerPort;
    }

    /** Adds where the logviewers listen. */
    void putLogviewer(Map<String, Object> json) {
        json.put("logviewerPort", port);
        json.put("logviewerScheme", scheme);
    }

    private String address(String host) {
        return scheme + "://" + Utils.urlEncodeUtf8(host) + ":" + port + "/api/v1/";
    }
}
