package io.eyewall.core.reference;

import io.eyewall.client.settings.Setting;
import io.eyewall.client.settings.SettingsGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/**
 * The keys that Eyewall adds to Storm's, as a page: one table for each feature that is on the class path.
 */
public final class KeyReference {

    private static final String INTRODUCTION = """
        # Keys

        The keys that Eyewall adds to Storm's. Set them in `storm.yaml` for all topologies of a cluster, or in a topology's own
        configuration: in its code, or with the option `-c KEY=VALUE` of `storm jar`. In `storm.yaml`, write `off` in quotes (`"off"`),
        since YAML reads it as `false`. Storm's own keys keep their meaning. Every value is checked when a topology is submitted, also those
        that a component has in its own configuration, and when a worker starts. In the configuration of a component, only those keys count
        of which the table says so. When a topology is submitted, the client warns of a key that looks like a misspelt one of a worker, and
        submits the topology nevertheless.

        This page is made from the code: `bin/docs generate` writes it.
        """;

    private KeyReference() {
    }

    /**
     * Writes the page to a file, which the only argument names.
     *
     * @throws IOException if it cannot be written
     */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 1) {
            System.err.println("usage: KeyReference FILE");
            System.exit(2);
        }
        Files.writeString(Path.of(arguments[0]), page());
    }

    /** The page as Markdown. */
    public static String page() {
        List<SettingsGroup> groups = SettingsGroup.all().stream().sorted(Comparator.comparing(SettingsGroup::title)).toList();
        StringBuilder page = new StringBuilder(INTRODUCTION);
        for (SettingsGroup group : groups) {
            page.append("\n## ").append(group.title()).append("\n\n| key | default | values | meaning |\n|---|---|---|---|\n");
            for (Setting<?> setting : group.settings()) {
                String defaultValue = setting.defaultValue().toString();
                page.append("| `").append(setting.key()).append("` | ").append(defaultValue.isEmpty() ? "empty" : "`" + defaultValue + "`")
                    .append(" | ").append(setting.range()).append(" | ").append(setting.doc()).append(" |\n");
            }
        }
        return page.toString();
    }
}
