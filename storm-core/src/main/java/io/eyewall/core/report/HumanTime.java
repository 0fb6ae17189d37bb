package io.eyewall.core.report;

import java.util.Locale;

/**
 * Durations for people: three significant digits and the unit that needs no more.
 */
public final class HumanTime {

    private static final String[] UNITS = {"ns", "us", "ms", "s"};

    private HumanTime() {
    }

    /** For example {@code 812 ns}, {@code 45.6 us}, {@code 1.23 ms}, {@code 61.2 s}; ASCII, for any terminal. */
    public static String of(long durationNs) {
        double value = (double) durationNs;
        int unit = 0;
        while (unit < UNITS.length - 1 && value >= 999.5) {
            value /= 1000;
            unit++;
        }
        int decimals = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + decimals + "f %s", value, UNITS[unit]);
    }
}
