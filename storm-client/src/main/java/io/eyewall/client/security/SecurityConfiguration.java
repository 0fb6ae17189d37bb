package io.eyewall.client.security;

import io.eyewall.client.settings.Setting;
import io.eyewall.client.settings.SettingsGroup;
import io.eyewall.client.settings.SettingsValidator;
import java.util.List;
import java.util.Map;
import org.apache.storm.validation.ConfigValidationAnnotations.CustomValidator;

/** The keys that bring upstream's less safe behaviour back, and the names that the safe behaviour needs. Immutable. */
public final class SecurityConfiguration implements SettingsGroup {

    /** See the documentation of the setting. */
    @CustomValidator(validatorClass = Check.class)
    public static final String SERVE_SECRETS = "nimbus.serve.secrets";

    /** See the documentation of the setting. */
    @CustomValidator(validatorClass = Check.class)
    public static final String REDACTED_KEYS = "storm.redacted.keys";

    /** See the documentation of the setting. */
    @CustomValidator(validatorClass = Check.class)
    public static final String STATE_CLASSES = "topology.state.classes";

    /** See the documentation of the setting. */
    @CustomValidator(validatorClass = Check.class)
    public static final String LAUNCHER_TRUSTED = "supervisor.worker.launcher.trusted";

    /** See the documentation of the setting. */
    @CustomValidator(validatorClass = Check.class)
    public static final String MAX_MESSAGE_BYTES = "storm.messaging.netty.max.message.bytes";

    /** See the documentation of the setting. */
    @CustomValidator(validatorClass = Check.class)
    public static final String VERIFY_HOST = "storm.thrift.tls.verify.host";

    /** See the documentation of the setting. */
    @CustomValidator(validatorClass = Check.class)
    public static final String VERIFY_WORKER = "storm.messaging.netty.tls.verify.host";

    private static final long DEFAULT_MESSAGE_BYTES = 256L << 20;
    private static final long MIN_LIMIT_BYTES = 1L << 20;
    private static final long MAX_LIMIT_BYTES = Integer.MAX_VALUE - 64L;

    private static final Setting<Boolean> SECRETS_SETTING = Setting.flag(SERVE_SECRETS, false,
        "Whether Nimbus returns passwords and other secrets in the configurations that it serves, as upstream's does. Logs never have"
            + " them.");

    private static final Setting<List<String>> KEYS_SETTING = names(REDACTED_KEYS,
        "Further keys whose values are secret. Those with a name like `password`, `secret` or `auth.payload` are known.");

    private static final Setting<List<String>> CLASSES_SETTING = names(STATE_CLASSES,
        "Further classes whose objects may be in the state of a bolt or spout, by full name; `package.*` stands for a package, `*` for"
            + " any class, as with upstream. Those in `topology.state.kryo.register` and the usual ones of `java.util` are known.");

    private static final Setting<Boolean> LAUNCHER_SETTING = Setting.flag(LAUNCHER_TRUSTED, false,
        "Whether a Supervisor may use upstream's setuid program `worker-launcher`, which has known races. Eyewall ships none.");

    private static final Setting<Long> MESSAGE_SETTING = Setting.integer(MAX_MESSAGE_BYTES, DEFAULT_MESSAGE_BYTES, MIN_LIMIT_BYTES,
        MAX_LIMIT_BYTES, "bytes", "The longest message, of one tuple or one frame, that a worker takes from a connection. A connection"
            + " that announces a longer one is closed.");

    private static final Setting<Boolean> HOST_SETTING = Setting.flag(VERIFY_HOST, true,
        "Whether a client of Nimbus or of a Supervisor over TLS checks that the server's certificate is for the host that it"
            + " connects to.");

    private static final Setting<Boolean> WORKER_SETTING = Setting.flag(VERIFY_WORKER, true,
        "Whether a worker that connects to another over TLS checks that the other's certificate is for the host that it connects to.");

    private static final List<Setting<?>> SETTINGS =
        List.of(SECRETS_SETTING, KEYS_SETTING, CLASSES_SETTING, LAUNCHER_SETTING, MESSAGE_SETTING, HOST_SETTING, WORKER_SETTING);

    private final boolean secretsServed;
    private final List<String> redactedKeys;
    private final List<String> stateClasses;
    private final boolean launcherTrusted;
    private final long maxMessageBytes;
    private final boolean hostVerified;
    private final boolean workerVerified;

    /** The defaults. */
    public SecurityConfiguration() {
        this(Map.of());
    }

    /**
     * The settings of a daemon or a topology.
     *
     * @throws IllegalArgumentException names the key, the value and what is allowed
     */
    public SecurityConfiguration(Map<String, Object> conf) {
        secretsServed = SECRETS_SETTING.of(conf);
        redactedKeys = KEYS_SETTING.of(conf);
        stateClasses = CLASSES_SETTING.of(conf);
        launcherTrusted = LAUNCHER_SETTING.of(conf);
        maxMessageBytes = MESSAGE_SETTING.of(conf);
        hostVerified = HOST_SETTING.of(conf);
        workerVerified = WORKER_SETTING.of(conf);
    }

    @Override
    public String title() {
        return "Security";
    }

    @Override
    public List<Setting<?>> settings() {
        return SETTINGS;
    }

    /** Whether Nimbus returns secrets. */
    public boolean areSecretsServed() {
        return secretsServed;
    }

    /** Keys that the configuration declares to be secret. */
    public List<String> redactedKeys() {
        return redactedKeys;
    }

    /** Names of classes, {@code package.*} or {@code *}. */
    public List<String> stateClasses() {
        return stateClasses;
    }

    /** Whether upstream's setuid launcher may be used. */
    public boolean isLauncherTrusted() {
        return launcherTrusted;
    }

    /** The longest message that a worker takes, in bytes. */
    public long maxMessageBytes() {
        return maxMessageBytes;
    }

    /** Whether a client over TLS checks the server's name. */
    public boolean isHostVerified() {
        return hostVerified;
    }

    /** Whether a worker that connects to another over TLS checks the other's name. */
    public boolean isWorkerVerified() {
        return workerVerified;
    }

    private static Setting<List<String>> names(String key, String doc) {
        return new Setting<>(key, List.of(), "a list of names", doc, value -> {
            if (value instanceof List<?> list && list.stream().allMatch(name -> name instanceof String text && !text.isBlank())) {
                return list.stream().map(String.class::cast).toList();
            }
            throw new IllegalArgumentException("not a list of names");
        });
    }

    /** How Storm's validation checks these keys. */
    public static final class Check extends SettingsValidator {
        /** For Storm's validation. */
        public Check() {
            super(SETTINGS);
        }
    }
}
