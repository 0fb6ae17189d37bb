package io.eyewall.web;

import io.eyewall.client.settings.Setting;
import io.eyewall.client.settings.SettingsGroup;
import io.eyewall.client.settings.SettingsValidator;
import io.eyewall.web.server.WebServer;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.storm.Config;
import org.apache.storm.DaemonConfig;
import org.apache.storm.utils.ObjectReader;
import org.apache.storm.validation.ConfigValidationAnnotations.CustomValidator;

/** What Eyewall's daemons with HTTP have beyond Storm's keys, in their {@code storm.yaml}. */
public final class UiSettings implements SettingsGroup {

    /** Whether responses may be wrapped in a function. */
    @CustomValidator(validatorClass = Check.class)
    public static final String JSONP = "ui.jsonp.enabled";

    /** Where the logviewer listens. */
    @CustomValidator(validatorClass = Check.class)
    public static final String LOGVIEWER_HOST = "logviewer.host";

    /** Where the DRPC server listens for HTTP. */
    @CustomValidator(validatorClass = Check.class)
    public static final String DRPC_HOST = "drpc.http.host";

    /** Which sites' pages may read the logviewer's responses. */
    @CustomValidator(validatorClass = Check.class)
    public static final String LOGVIEWER_ORIGINS = "logviewer.allowed.origins";

    /** Whether the UI keeps what topologies did before. */
    @CustomValidator(validatorClass = Check.class)
    public static final String HISTORY = "ui.history.enabled";

    private static final Pattern ORIGIN = Pattern.compile("https?://[^/\\s*]+");

    private static final Setting<Boolean> JSONP_SETTING = Setting.flag(JSONP, false, "Whether `storm ui` and `storm logviewer` wrap a"
        + " response in the function that the parameter `callback` names (JSONP). Then a page of any site can read what its visitor may"
        + " read.");

    private static final Setting<String> LOGVIEWER_HOST_SETTING = Setting.text(LOGVIEWER_HOST, WebServer.EVERYWHERE,
        "The address of this host that `storm logviewer` listens on.");

    private static final Setting<String> DRPC_HOST_SETTING = Setting.text(DRPC_HOST, WebServer.EVERYWHERE,
        "The address of this host that `storm drpc` listens on for HTTP.");

    private static final Setting<List<?>> LOGVIEWER_ORIGINS_SETTING = new Setting<>(LOGVIEWER_ORIGINS, List.of(),
        "a list of origins such as https://storm.example.org:8080", "The sites whose pages may read the responses of `storm logviewer`, as"
        + " the log search of `storm ui` does. A UI on a host of `nimbus.seeds` need not be listed.", value -> {
            if (value instanceof List<?> origins && origins.stream().allMatch(one -> ORIGIN.matcher(String.valueOf(one)).matches())) {
                return origins;
            }
            throw new IllegalArgumentException("not origins");
        });

    private static final Setting<Boolean> HISTORY_SETTING = Setting.flag(HISTORY, true, "Whether `storm ui` keeps what every topology did,"
        + " for a day every 10 s and for 30 days every 5 minutes, below `storm.local.dir`, in at most 1 GB. It asks Nimbus about every"
        + " topology every 10 s.");

    private static final List<Setting<?>> SETTINGS = List.of(JSONP_SETTING, LOGVIEWER_HOST_SETTING, LOGVIEWER_ORIGINS_SETTING,
        DRPC_HOST_SETTING, HISTORY_SETTING);

    private final boolean jsonp;
    private final boolean history;
    private final Set<String> logviewerOrigins = new HashSet<>();

    /** The defaults. */
    public UiSettings() {
        this(Map.of());
    }

    /**
     * The settings of a UI.
     *
     * @throws IllegalArgumentException names the key, the value and the range
     */
    public UiSettings(Map<String, Object> conf) {
        jsonp = JSONP_SETTING.of(conf);
        history = HISTORY_SETTING.of(conf);
        LOGVIEWER_ORIGINS_SETTING.of(conf).forEach(origin -> logviewerOrigins.add(origin.toString()));
        for (String seed : ObjectReader.getStrings(conf.get(Config.NIMBUS_SEEDS))) {
            addOrigin("http://" + seed, conf.get(DaemonConfig.UI_PORT), 80);
            addOrigin("https://" + seed, conf.get(DaemonConfig.UI_HTTPS_PORT), 443);
        }
    }

    /** Whether responses may be wrapped in a function. */
    public boolean jsonp() {
        return jsonp;
    }

    /** Whether the UI keeps what topologies did before. */
    public boolean history() {
        return history;
    }

    /** The sites whose pages may read the logviewer's responses, as browsers name them. */
    public Set<String> logviewerOrigins() {
        return logviewerOrigins;
    }

    @Override
    public String title() {
        return "Web interface";
    }

    @Override
    public List<Setting<?>> settings() {
        return SETTINGS;
    }

    private void addOrigin(String site, Object port, int usual) {
        if (port instanceof Number number && number.intValue() > 0) {
            logviewerOrigins.add(number.intValue() == usual ? site : site + ":" + number);
        }
    }

    /** How Storm's validation checks the key. */
    public static final class Check extends SettingsValidator {

        /** For Storm's validation. */
        public Check() {
            super(SETTINGS);
        }
    }
}
