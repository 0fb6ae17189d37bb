package io.eyewall.integration.cluster;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A topology to submit, as {@code storm jar JAR MAIN ARGUMENTS -c KEY=VALUE} does. Immutable.
 *
 * @param jar the topology's jar, uploaded to Nimbus
 * @param mainClass the class in it whose main method submits
 * @param arguments of the main method
 * @param options configuration keys and values that override those which the program sets; values as on the command line (numbers,
 *     {@code true}, JSON; anything else is text)
 */
public record Submission(Path jar, String mainClass, List<String> arguments, Map<String, String> options) {

    /** Copies what is mutable. */
    public Submission {
        jar = jar.toAbsolutePath().normalize();
        arguments = List.copyOf(arguments);
        options = Map.copyOf(options);
    }

    /** Without options. */
    public static Submission of(Path jar, String mainClass, String... arguments) {
        return new Submission(jar, mainClass, List.of(arguments), Map.of());
    }

    /** The same with one option more. */
    public Submission with(String key, Object value) {
        Map<String, String> all = new LinkedHashMap<>(options);
        all.put(key, String.valueOf(value));
        return new Submission(jar, mainClass, arguments, all);
    }

    /** The options in the form of the system property {@code storm.options}. */
    String encodedOptions() {
        return options.entrySet().stream()
            .map(option -> URLEncoder.encode(option.getKey() + "=" + option.getValue(), StandardCharsets.UTF_8))
            .collect(Collectors.joining(","));
    }
}
