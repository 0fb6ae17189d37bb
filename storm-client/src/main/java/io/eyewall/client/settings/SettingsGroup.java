package io.eyewall.client.settings;

import java.util.List;
import java.util.ServiceLoader;
import org.apache.storm.validation.Validated;

/**
 * The settings of one feature. Storm's validation finds it as a service and checks the fields that have its annotations. The generator of
 * the reference of all keys finds it in the same way.
 */
public interface SettingsGroup extends Validated {

    /** The feature in one or two words, as a heading. */
    String title();

    /** The settings, in the order in which a reader should meet them. */
    List<Setting<?>> settings();

    /** All groups on the class path. */
    static List<SettingsGroup> all() {
        return ServiceLoader.load(Validated.class).stream().map(ServiceLoader.Provider::get).filter(SettingsGroup.class::isInstance)
            .map(SettingsGroup.class::cast).toList();
    }
}
