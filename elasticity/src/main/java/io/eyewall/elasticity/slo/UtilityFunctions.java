package io.eyewall.elasticity.slo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Makes the utility function that a user describes. All of them are functions of the attainment, the ratio in equations 3.1 and 3.2 of Xu's
 * thesis, so that a function fits a latency as well as juice or a throughput. The thesis names the kinds and defines the first one.
 */
public final class UtilityFunctions {

    /** What a user can write, for messages and documents. */
    public static final String GRAMMAR = "knee; linear [ZERO]; step [ATTAINMENT:SHARE ...]; points ATTAINMENT:SHARE ... 1:1; "
        + "lognormal [MU SIGMA]; class NAME";

    /** Equations 3.1 and 3.2: the share is the attainment itself. */
    public static final UtilityFunction KNEE = attainment -> attainment;

    private static final double DEFAULT_ZERO = 0.5;
    private static final double DEFAULT_MU = -0.5;
    private static final double DEFAULT_SIGMA = 0.5;
    /** How many values of a user's class are checked, evenly spread. */
    private static final int SAMPLES = 1_000;

    private UtilityFunctions() {
    }

    /**
     * Makes a function from its description.
     *
     * <ul>
     *   <li>{@code knee}: the attainment itself.
     *   <li>{@code linear ZERO}: rises evenly from 0 at the attainment {@code ZERO} (0.5 if left out) to 1.
     *   <li>{@code step A:S ...}: the share {@code S} from the attainment {@code A} on, 0 below the first and 1 when the SLO is met.
     *   <li>{@code points A:S ... 1:1}: straight lines between the points, constant below the first. Two points with the same attainment
     *       are a jump.
     *   <li>{@code lognormal MU SIGMA}: the distribution function of the lognormal distribution, divided by its value at 1 (-0.5 and 0.5 if
     *       left out: half of the distribution lies below 0.61).
     *   <li>{@code class NAME}: an object of that class, which is checked at 1,001 attainments.
     * </ul>
     *
     * <p>Example: {@code points 0.5:0 0.9:0.5 1:1} is worth nothing at twice the latency, a quarter of the maximum at an attainment of 0.7.
     *
     * @throws IllegalArgumentException says what is wrong with the description
     */
    public static UtilityFunction parse(String description) {
        List<String> words = List.of(description.strip().split("\\s+"));
        List<String> arguments = words.subList(1, words.size());
        return switch (words.get(0)) {
            case "knee" -> withoutArguments(arguments);
            case "linear" -> linear(arguments);
            case "step" -> step(arguments);
            case "points" -> points(arguments);
            case "lognormal" -> lognormal(arguments);
            case "class" -> ofClass(arguments);
            default -> throw new IllegalArgumentException("there is no utility function '" + words.get(0) + "': write one of " + GRAMMAR);
        };
    }

    /**
     * Checks what a utility function must be, at evenly spread attainments.
     *
     * @throws IllegalArgumentException if it falls between two of them, is outside 0..1 or is not 1 at 1; names the attainment
     */
    public static void check(UtilityFunction function) {
        double before = 0;
        for (int i = 0; i <= SAMPLES; i++) {
            double attainment = (double) i / SAMPLES;
            double share = function.share(attainment);
            if (!(share >= 0 && share <= 1)) {
                throw new IllegalArgumentException("its share is " + share + " at attainment " + attainment + ", but must be from 0 to 1");
            }
            if (share < before) {
                throw new IllegalArgumentException("it is not monotonic: at attainment " + attainment + " it falls from " + before + " to "
                    + share);
            }
            before = share;
        }
        if (before != 1) {
            throw new IllegalArgumentException("its share is " + before + " at attainment 1, but must be 1 when the SLO is met");
        }
    }

    private static UtilityFunction withoutArguments(List<String> arguments) {
        if (!arguments.isEmpty()) {
            throw new IllegalArgumentException("knee has no parameters, not " + String.join(" ", arguments));
        }
        return KNEE;
    }

    private static UtilityFunction linear(List<String> arguments) {
        double[] parameters = numbers("linear", arguments, DEFAULT_ZERO);
        double zero = parameters[0];
        if (!(zero >= 0 && zero < 1)) {
            throw new IllegalArgumentException("linear " + zero + ": the attainment without utility must be at least 0 and below 1");
        }
        return attainment -> Math.max(0, (attainment - zero) / (1 - zero));
    }

    private static UtilityFunction step(List<String> arguments) {
        List<double[]> steps = pairs("step", arguments);
        return attainment -> {
            double share = attainment >= 1 ? 1 : 0;
            for (double[] step : steps) {
                share = attainment >= step[0] ? Math.max(share, step[1]) : share;
            }
            return share;
        };
    }

    private static UtilityFunction points(List<String> arguments) {
        List<double[]> points = pairs("points", arguments);
        if (points.isEmpty() || !Arrays.equals(points.get(points.size() - 1), new double[] {1, 1})) {
            throw new IllegalArgumentException("the last of the points must be 1:1, since a met SLO is worth the maximum");
        }
        return attainment -> {
            double[] left = points.get(0);
            if (attainment <= left[0]) {
                return attainment >= 1 ? 1 : left[1];
            }
            for (double[] right : points) {
                if (attainment < right[0]) {
                    return left[1] + (right[1] - left[1]) * (attainment - left[0]) / (right[0] - left[0]);
                }
                left = right;
            }
            return left[1];
        };
    }

    private static UtilityFunction lognormal(List<String> arguments) {
        double[] parameters = numbers("lognormal", arguments, DEFAULT_MU, DEFAULT_SIGMA);
        double mu = parameters[0];
        double sigma = parameters[1];
        double whole = StandardNormal.distribution(-mu / sigma);
        if (!(sigma > 0) || !(whole > 0)) {
            throw new IllegalArgumentException("lognormal " + mu + " " + sigma + ": the second parameter must be above 0, and the "
                + "distribution must not lie above 1 altogether");
        }
        return attainment -> attainment == 0 ? 0 : Math.min(1, StandardNormal.distribution((Math.log(attainment) - mu) / sigma) / whole);
    }

    private static UtilityFunction ofClass(List<String> arguments) {
        if (arguments.size() != 1) {
            throw new IllegalArgumentException("write class and the name of one class");
        }
        String name = arguments.get(0);
        try {
            UtilityFunction function = Class.forName(name, false, UtilityFunctions.class.getClassLoader())
                .asSubclass(UtilityFunction.class).getConstructor().newInstance();
            check(function);
            return function;
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException("there is no class " + name + " on the class path of Nimbus", e);
        } catch (ClassCastException e) {
            throw new IllegalArgumentException("class " + name + " does not implement " + UtilityFunction.class.getName(), e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("class " + name + ": " + e.getMessage(), e);
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            throw new IllegalArgumentException("class " + name + " cannot be used: " + e, e);
        }
    }

    /** The numbers that a user wrote, or the defaults if there are none. */
    private static double[] numbers(String function, List<String> arguments, double... defaults) {
        if (arguments.isEmpty()) {
            return defaults;
        }
        if (arguments.size() != defaults.length) {
            throw new IllegalArgumentException(function + " has " + defaults.length + " parameter(s) or none, not " + arguments.size());
        }
        return arguments.stream().mapToDouble(UtilityFunctions::number).toArray();
    }

    /** Pairs of attainment and share, neither of which falls. */
    private static List<double[]> pairs(String function, List<String> arguments) {
        List<double[]> pairs = new ArrayList<>();
        double[] before = {0, 0};
        for (String argument : arguments) {
            String[] parts = argument.split(":", -1);
            if (parts.length != 2) {
                throw new IllegalArgumentException("'" + argument + "' is not ATTAINMENT:SHARE, such as 0.5:0.2");
            }
            double[] pair = {number(parts[0]), number(parts[1])};
            if (!(pair[0] >= 0 && pair[0] <= 1 && pair[1] >= 0 && pair[1] <= 1)) {
                throw new IllegalArgumentException("'" + argument + "': both numbers must be from 0 to 1");
            }
            if (pair[0] < before[0] || pair[1] < before[1]) {
                throw new IllegalArgumentException(String.format(Locale.ROOT, "%s is not monotonic: '%s' comes after '%s:%s'", function,
                    argument, before[0], before[1]));
            }
            pairs.add(pair);
            before = pair;
        }
        return pairs;
    }

    private static double number(String text) {
        try {
            double number = Double.parseDouble(text);
            if (Double.isFinite(number)) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not a number", e);
        }
        throw new IllegalArgumentException("'" + text + "' is not a finite number");
    }
}
