package io.eyewall.client.command;

import java.net.URL;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.storm.Config;
import org.apache.storm.utils.Utils;
import org.apache.storm.validation.ConfigValidation;

/**
 * The cluster that this process is configured for. Each call reads the configuration again, since calls only come after a failure. Only
 * {@link #configurationFile()} works when the configuration cannot be read.
 */
final class ConfiguredCluster implements Cluster {

    @Override
    public String configurationFile() {
        String given = System.getProperty("storm.conf.file", "");
        if (!given.isEmpty()) {
            return given;
        }
        URL found = Thread.currentThread().getContextClassLoader().getResource("storm.yaml");
        if (found == null) {
            return "storm.yaml";
        }
        return "file".equals(found.getProtocol()) ? found.getPath() : found.toString();
    }

    @Override
    public List<Class<?>> configurationClasses() {
        return ConfigValidation.getConfigClasses();
    }

    @Override
    public String nimbus() {
        return addresses(Config.NIMBUS_SEEDS, Config.NIMBUS_THRIFT_PORT);
    }

    @Override
    public String drpc() {
        return addresses(Config.DRPC_SERVERS, Config.DRPC_PORT);
    }

    @Override
    public String zooKeeper() {
        return addresses(Config.STORM_ZOOKEEPER_SERVERS, Config.STORM_ZOOKEEPER_PORT);
    }

    private static String addresses(String hostsKey, String portKey) {
        Map<String, Object> configuration = Utils.readStormConfig();
        Object port = configuration.get(portKey);
        if (configuration.get(hostsKey) instanceof Collection<?> hosts) {
            return hosts.stream().map(host -> host + ":" + port).collect(Collectors.joining(", "));
        }
        return configuration.get(hostsKey) + ":" + port;
    }
}
