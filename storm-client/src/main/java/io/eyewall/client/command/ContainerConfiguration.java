package io.eyewall.client.command;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.storm.shade.net.minidev.json.JSONObject;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;
import org.apache.storm.utils.Utils;
import org.apache.storm.validation.ConfigValidation;

/**
 * Writes the configuration that a container has: that of its image, which is {@code storm.yaml} on the class path, then the user's file,
 * then the user's {@link ConfigurationVariables}. The later one wins.
 */
public final class ContainerConfiguration {

    private ContainerConfiguration() {
    }

    /**
     * Writes the configuration and prints values of it, as {@link ConfigValues} does.
     *
     * @param arguments the file to write, which is replaced at once, then the keys whose values to print
     * @throws UnusableConfigurationException names the variable that sets no key, or the value that is not allowed
     * @throws IOException if the file cannot be written
     */
    public static void main(String[] arguments) throws IOException {
        Map<String, Object> own = new LinkedHashMap<>(Utils.findAndReadConfigFile("storm.yaml", false));
        String ofUser = System.getProperty("storm.conf.file", "");
        if (!ofUser.isEmpty()) {
            own.putAll(Utils.findAndReadConfigFile(ofUser, true));
        }
        Map<String, Object> all = Utils.readDefaultConfig();
        own.putAll(new ConfigurationVariables(ConfigValidation.getConfigClasses(), all.keySet()).values(System.getenv()));
        all.putAll(own);
        check(all);
        write(own, Path.of(arguments[0]));
        String[] keys = Arrays.copyOfRange(arguments, 1, arguments.length);
        System.out.println(JSONObject.toJSONString(ConfigValues.values(all, keys)));
    }

    private static void check(Map<String, Object> configuration) {
        try {
            ConfigValidation.validateFields(configuration);
        } catch (IllegalArgumentException refused) {
            String reason = KeyNames.spellOut(refused.getMessage(), ConfigValidation.getConfigClasses()).replaceFirst("\\.$", "");
            throw new UnusableConfigurationException(reason + ". Correct its variable, or the storm.yaml that is mounted.");
        }
    }

    /** At once, since a Supervisor's workers may read the file at any time. */
    private static void write(Map<String, Object> configuration, Path file) throws IOException {
        Path unfinished = Files.createTempFile(file.toAbsolutePath().getParent(), "storm", ".yaml");
        try (Writer writer = Files.newBufferedWriter(unfinished, StandardCharsets.UTF_8)) {
            new Yaml().dump(configuration, writer);
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
