package io.eyewall.transport.fabric;

import io.eyewall.client.settings.Setting;
import io.eyewall.client.settings.SettingsGroup;
import io.eyewall.client.settings.SettingsValidator;
import io.eyewall.transport.fabric.binding.EndpointType;
import io.eyewall.transport.fabric.link.IdleMode;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.storm.Config;
import org.apache.storm.validation.ConfigValidationAnnotations.CustomValidator;
import org.apache.storm.validation.ConfigValidationAnnotations.Password;

/** The settings of the libfabric transport in the configuration of one topology. Immutable. */
public final class FabricConfiguration implements SettingsGroup {

    /** Key of {@link #endpoint()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String ENDPOINT = "storm.messaging.fabric.endpoint";
    /** Key of {@link #providers()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String PROVIDER = "storm.messaging.fabric.provider";
    /** Key of {@link #networkInterface()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String INTERFACE = "storm.messaging.fabric.interface";
    /** Key of {@link #bufferBytes()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String BUFFER_BYTES = "storm.messaging.fabric.buffer.bytes";
    /** Key of {@link #receiveBuffers()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String RECEIVE_BUFFERS = "storm.messaging.fabric.receive.buffers";
    /** Key of {@link #sendBuffers()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String SEND_BUFFERS = "storm.messaging.fabric.send.buffers";
    /** Key of {@link #hugePages()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String HUGE_PAGES = "storm.messaging.fabric.huge.pages";
    /** Key of {@link #idleMode()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String IDLE = "storm.messaging.fabric.idle";
    /** Key of {@link #peerTimeoutMs()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String PEER_TIMEOUT_MS = "storm.messaging.fabric.peer.timeout.ms";
    /** Key of {@link #reconnectMaxMs()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String RECONNECT_MAX_MS = "storm.messaging.fabric.reconnect.max.ms";
    /** Key of {@link #secret()}. */
    @CustomValidator(validatorClass = Check.class)
    @Password
    public static final String SECRET = "storm.messaging.fabric.secret";
    /** Key of {@link #fallsBackToNetty()}. */
    @CustomValidator(validatorClass = Check.class)
    public static final String FALLBACK = "storm.messaging.fabric.fallback";

    private static final String AUTO = "auto";
    private static final String ALL = "all";

    private static final Setting<EndpointType> ENDPOINT_SETTING = choice(ENDPOINT, "msg",
        Map.of("msg", EndpointType.CONNECTED, "rdm", EndpointType.TAGGED), "msg or rdm",
        "Connected endpoints (`msg`, for InfiniBand and TCP) or reliable datagrams with tags (`rdm`, for Omni-Path).");
    private static final Setting<String> PROVIDER_SETTING = Setting.text(PROVIDER, AUTO,
        "The provider, as `fi_info` names it, for instance verbs or psm2. `auto` takes the one that works over TCP/IP on any network.");
    private static final Setting<String> INTERFACE_SETTING = Setting.text(INTERFACE, ALL,
        "The network interface to use (eth0, ib0), or its IP address, or `all`.");
    private static final Setting<Long> BUFFER_SETTING = Setting.integer(BUFFER_BYTES, 266_240, 4_096, 1_048_576, "bytes",
        "The size of a buffer, and of the longest message on the fabric. Longer tuples are split, shorter ones share a buffer.");
    private static final Setting<Long> RECEIVE_SETTING = Setting.integer(RECEIVE_BUFFERS, 16, 2, 200, "buffers",
        "How many buffers a worker has to receive tuples from another worker. The other worker may fill this many before it waits.");
    private static final Setting<Long> SEND_SETTING = Setting.integer(SEND_BUFFERS, 8, 2, 200, "buffers",
        "How many buffers a worker has to send tuples to another worker.");
    private static final Setting<Boolean> HUGE_PAGES_SETTING = Setting.flag(HUGE_PAGES, false,
        "Whether to ask the system for huge pages for the buffers. If it has none, buffers lie in ordinary pages.");
    private static final Setting<IdleMode> IDLE_SETTING = choice(IDLE, "wait",
        Map.of("spin", IdleMode.SPIN, "backoff", IdleMode.BACK_OFF, "wait", IdleMode.WAIT), "spin, backoff or wait",
        "What the thread that receives tuples does when it has nothing to do: keep a core busy for the least latency (`spin`), look"
            + " again after growing pauses of up to a millisecond (`backoff`), or sleep until the provider wakes it (`wait`).");
    private static final Setting<Long> PEER_TIMEOUT_SETTING = Setting.integer(PEER_TIMEOUT_MS, 30_000, 100, 600_000, "milliseconds",
        "How long a worker waits for a sign of life before it considers another worker dead and connects anew. Also how long closing a"
            + " connection waits until everything is handed over.");
    private static final Setting<Long> RECONNECT_SETTING = Setting.integer(RECONNECT_MAX_MS, 1_000, 10, 60_000, "milliseconds",
        "The longest pause before another attempt to connect. Pauses double from 10 ms.");
    private static final Setting<String> SECRET_SETTING = new Setting<>(SECRET, "", "a text",
        "A secret that a worker must know before other workers of the topology accept its connections. If it is empty, the topology's"
            + " ZooKeeper secret is used where ZooKeeper authentication is configured.", FabricConfiguration::anyText);
    private static final Setting<Boolean> FALLBACK_SETTING = choice(FALLBACK, "none", Map.of("none", false, "netty", true),
        "none or netty", "How a worker reacts on a host without libfabric or the provider: it does not start (`none`), or uses Netty and"
            + " logs a warning (`netty`). Workers that use different transports cannot talk to each other.");

    private static final List<Setting<?>> SETTINGS = List.of(ENDPOINT_SETTING, PROVIDER_SETTING, INTERFACE_SETTING, BUFFER_SETTING,
        RECEIVE_SETTING, SEND_SETTING, HUGE_PAGES_SETTING, IDLE_SETTING, PEER_TIMEOUT_SETTING, RECONNECT_SETTING, SECRET_SETTING,
        FALLBACK_SETTING);

    private final EndpointType endpoint;
    private final String provider;
    private final String networkInterface;
    private final int bufferBytes;
    private final int receiveBuffers;
    private final int sendBuffers;
    private final boolean hugePages;
    private final IdleMode idleMode;
    private final int peerTimeoutMs;
    private final int reconnectMaxMs;
    private final String secret;
    private final boolean fallsBackToNetty;

    /** The defaults. */
    public FabricConfiguration() {
        this(Map.of());
    }

    /**
     * The settings of a topology.
     *
     * @throws IllegalArgumentException names the key, the value and the range
     */
    public FabricConfiguration(Map<String, Object> topologyConf) {
        endpoint = ENDPOINT_SETTING.of(topologyConf);
        provider = PROVIDER_SETTING.of(topologyConf);
        networkInterface = INTERFACE_SETTING.of(topologyConf);
        bufferBytes = BUFFER_SETTING.of(topologyConf).intValue();
        receiveBuffers = RECEIVE_SETTING.of(topologyConf).intValue();
        sendBuffers = SEND_SETTING.of(topologyConf).intValue();
        hugePages = HUGE_PAGES_SETTING.of(topologyConf);
        idleMode = IDLE_SETTING.of(topologyConf);
        peerTimeoutMs = PEER_TIMEOUT_SETTING.of(topologyConf).intValue();
        reconnectMaxMs = RECONNECT_SETTING.of(topologyConf).intValue();
        String own = SECRET_SETTING.of(topologyConf);
        secret = own.isEmpty()
            ? Objects.requireNonNullElse((String) topologyConf.get(Config.STORM_ZOOKEEPER_TOPOLOGY_AUTH_PAYLOAD), "")
            : own;
        fallsBackToNetty = FALLBACK_SETTING.of(topologyConf);
    }

    @Override
    public String title() {
        return "libfabric transport";
    }

    @Override
    public List<Setting<?>> settings() {
        return SETTINGS;
    }

    public EndpointType endpoint() {
        return endpoint;
    }

    /** The providers to try, in this order. Never empty. */
    public List<String> providers() {
        if (!provider.equals(AUTO)) {
            return List.of(provider);
        }
        // In libfabric 1.17 the provider with tagged endpoints over TCP is called net; in later versions it is tcp. The provider net has
        // connected endpoints too, but cannot wake a thread that sleeps on them.
        return endpoint == EndpointType.CONNECTED ? List.of("tcp") : List.of("tcp", "net");
    }

    /** The name or address of a network interface, or null for all. */
    public String networkInterface() {
        return networkInterface.equals(ALL) ? null : networkInterface;
    }

    public int bufferBytes() {
        return bufferBytes;
    }

    public int receiveBuffers() {
        return receiveBuffers;
    }

    public int sendBuffers() {
        return sendBuffers;
    }

    public boolean hugePages() {
        return hugePages;
    }

    public IdleMode idleMode() {
        return idleMode;
    }

    public int peerTimeoutMs() {
        return peerTimeoutMs;
    }

    public int reconnectMaxMs() {
        return reconnectMaxMs;
    }

    /** The secret of the topology's workers; may be empty. */
    public String secret() {
        return secret;
    }

    public boolean fallsBackToNetty() {
        return fallsBackToNetty;
    }

    private static <T> Setting<T> choice(String key, String defaultValue, Map<String, T> values, String range, String doc) {
        return new Setting<>(key, defaultValue, range, doc, value -> {
            if (value instanceof String text && values.containsKey(text)) {
                return values.get(text);
            }
            throw new IllegalArgumentException("not one of the choices");
        });
    }

    private static String anyText(Object value) {
        if (value instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("not a text");
    }

    /** Checks these keys in Storm's validation. */
    public static final class Check extends SettingsValidator {
        /** Storm calls this by reflection. */
        public Check() {
            super(SETTINGS);
        }
    }
}
