package io.eyewall.client.settings;

import java.util.List;
import org.apache.storm.validation.Validated;

/**
 * The settings of one feature. Found by Storm's validation, which checks the fields that carry its annotations, and by the generator of
 * the reference of all keys.
 */
public interface SettingsGroup extends Validated {

    /** The feature in one or two words, as a heading. */
    String title();

    /** The settings, in the order in which a reader should meet them. */
    List<Setting<?>> settings();
}
