package io.eyewall.client.settings.metrics;

import io.eyewall.client.settings.Setting;
import io.eyewall.client.settings.SettingsGroup;
import io.eyewall.client.settings.SettingsValidator;
import java.util.List;
import java.util.Map;
import org.apache.storm.validation.ConfigValidationAnnotations.CustomValidator;

/** The settings of the reporter that serves a daemon's metrics to Prometheus, in the daemon's {@code storm.yaml}. Immutable. */
public final class PrometheusConfiguration implements SettingsGroup {

    /** Where the figures are served. */
    @CustomValidator(validatorClass = Check.class)
    public static final String PORT = "storm.daemon.metrics.reporter.prometheus.port";

    private static final Setting<Long> PORT_SETTING = Setting.integer(PORT, 9464, 0, 65_535, "ports", "Where a daemon serves its metrics"
        + " to Prometheus, at `/metrics`, if `storm.daemon.metrics.reporter.plugins` has `io.eyewall.core.metrics.PrometheusReporter`."
        + " Several daemons on a host need a port each. 0 means a port that is free.");

    private static final List<Setting<?>> SETTINGS = List.of(PORT_SETTING);

    private final int port;

    /** The defaults. */
    public PrometheusConfiguration() {
        this(Map.of());
    }

    /**
     * The settings of a daemon.
     *
     * @throws IllegalArgumentException names the key, the value and the range
     */
    public PrometheusConfiguration(Map<String, Object> conf) {
        port = PORT_SETTING.of(conf).intValue();
    }

    @Override
    public String title() {
        return "Metrics of daemons";
    }

    @Override
    public List<Setting<?>> settings() {
        return SETTINGS;
    }

    /** The port to listen on; 0 means one that is free. */
    public int port() {
        return port;
    }

    /** How Storm's validation checks the key. */
    public static final class Check extends SettingsValidator {
        /** For Storm's validation. */
        public Check() {
            super(SETTINGS);
        }
    }
}
