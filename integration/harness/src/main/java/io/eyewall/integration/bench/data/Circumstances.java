package io.eyewall.integration.bench.data;

import java.math.BigDecimal;
import java.util.Locale;

/**
 * How, when and where figures were measured, in the form of the columns of a file. {@value #UNKNOWN} stands for a value that was not
 * recorded.
 *
 * @param rounds how often each side was measured
 * @param seconds how long each measurement took; empty if that has no meaning, as for a benchmark by JMH
 * @param stolenPercent the part of the cores' time that the hypervisor gave to others meanwhile, in per cent; empty on lines without it
 * @param date a day, {@code 2026-11-23}; several, {@code 2026-11-22/2026-11-23}; or a year, of what others have published
 * @param machine processor, memory, operating system and JDK, without the machine's name
 * @param version the version that was measured
 */
public record Circumstances(String rounds, String seconds, String stolenPercent, String date, String machine, String version) {

    /** The value for anything that is not known. */
    public static final String UNKNOWN = "unknown";

    /** The circumstances of a benchmark on this machine; each run adds the others. */
    public static Circumstances of(int rounds, long seconds, String date, String machine) {
        return new Circumstances(String.valueOf(rounds), String.valueOf(seconds), "", date, machine, UNKNOWN);
    }

    /** The same for one run of {@code version}; {@code stolen} is the part of the cores' time, of 1. */
    public Circumstances ofRun(String ofVersion, double stolen) {
        return new Circumstances(rounds, seconds, String.format(Locale.ROOT, "%.2f", 100 * stolen), date, machine, ofVersion);
    }

    /** The stolen time, or null if it is unknown or not on this line. */
    BigDecimal stolen() {
        return stolenPercent.isEmpty() || stolenPercent.equals(UNKNOWN) ? null : new BigDecimal(stolenPercent);
    }
}
