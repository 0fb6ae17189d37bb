package io.eyewall.core.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The command line of a command: options, each with a fixed number of values, and the words between them.
 *
 * <p>Every error is an {@link IllegalArgumentException} whose message is one line for the user.
 */
public final class CommandArguments {

    private final Map<String, List<String>> options = new HashMap<>();
    private final List<String> words = new ArrayList<>();

    /**
     * Parses a command line.
     *
     * @param arguments as {@code main} got them
     * @param valuesByOption how many values follow each option that the command has
     */
    public CommandArguments(String[] arguments, Map<String, Integer> valuesByOption) {
        for (int i = 0; i < arguments.length; i++) {
            String argument = arguments[i];
            if (!argument.startsWith("-") || argument.equals("-")) {
                words.add(argument);
                continue;
            }
            Integer values = valuesByOption.get(argument);
            if (values == null) {
                throw new IllegalArgumentException(
                    "unknown option " + argument + "; there are " + String.join(", ", valuesByOption.keySet().stream().sorted().toList()));
            }
            if (i + values >= arguments.length) {
                throw new IllegalArgumentException(argument + " needs " + (values == 1 ? "a value" : values + " values"));
            }
            options.put(argument, Arrays.asList(arguments).subList(i + 1, i + 1 + values));
            i += values;
        }
    }

    /** The arguments that belong to no option, in their order. */
    public List<String> words() {
        return words;
    }

    public boolean has(String option) {
        return options.containsKey(option);
    }

    /** All values of an option that was given. */
    public Optional<List<String>> values(String option) {
        return Optional.ofNullable(options.get(option));
    }

    /** The value of an option of one value. */
    public Optional<String> value(String option) {
        return values(option).map(values -> values.get(0));
    }

    /** The value of an option that must be given. */
    public String required(String option) {
        return value(option).orElseThrow(() -> new IllegalArgumentException(option + " is missing"));
    }

    /** The value of an option as a whole number, at least {@code min}; {@code fallback} if the option was not given. */
    public long number(String option, long min, long fallback) {
        if (!has(option)) {
            return fallback;
        }
        String value = required(option);
        try {
            long number = Long.parseLong(value);
            if (number >= min) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Falls through to the one message for every bad number.
        }
        throw new IllegalArgumentException(option + " " + value + ": expected a whole number of at least " + min);
    }
}
