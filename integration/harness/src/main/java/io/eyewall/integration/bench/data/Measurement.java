package io.eyewall.integration.bench.data;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One line of a file: some figures of one side of a scenario.
 *
 * @param setting under what it was measured
 * @param side what was measured; the first one of a setting in a file is what the others are compared with
 * @param statistic what the figures are
 * @param round the number of the round, from 1; 0 unless {@code statistic} is {@link Statistic#ROUND}
 * @param circumstances how, when and where
 * @param figures by the name of the column; what was not measured is not in it
 */
public record Measurement(
    Setting setting, String side, Statistic statistic, int round, Circumstances circumstances, Map<String, BigDecimal> figures) {

    /**
     * What all sides have in common.
     *
     * @param scenario as {@code storm bench --list} has it, or the name of a JMH benchmark or test
     * @param ratePerSec messages that are due per second; 0 for as many as it can take; empty where there are none
     */
    public record Setting(String scenario, String ratePerSec) {

        /** The name, and the rate if there is one. */
        public String title() {
            return ratePerSec.isEmpty() || ratePerSec.equals("0")
                ? scenario
                : scenario + " at " + Quantity.grouped(new BigDecimal(ratePerSec)) + "/s";
        }
    }

    /** Copies what is mutable. */
    public Measurement {
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    }

    /** The figures of one round. */
    public static Measurement ofRound(Setting setting, String side, int round, Circumstances circumstances,
            Map<String, BigDecimal> figures) {
        return new Measurement(setting, side, Statistic.ROUND, round, circumstances, figures);
    }

    /** As the column {@code round} of a file has it. */
    String roundCell() {
        return statistic == Statistic.ROUND ? String.valueOf(round) : statistic.title();
    }
}
