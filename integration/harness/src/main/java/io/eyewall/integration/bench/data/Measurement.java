package io.eyewall.integration.bench.data;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One line of a file: some figures of one side of a scenario.
 *
 * @param setting the scenario and rate under which it was measured
 * @param side the side that was measured; the others are compared with the first one of a setting in a file
 * @param statistic whether the figures are of one round, or which statistic over rounds they are
 * @param round the number of the round, from 1; 0 unless {@code statistic} is {@link Statistic#ROUND}
 * @param circumstances how, when and where
 * @param figures the figures by the name of the column, without those that were not measured
 */
public record Measurement(
    Setting setting, String side, Statistic statistic, int round, Circumstances circumstances, Map<String, BigDecimal> figures) {

    /**
     * The scenario and rate that all sides have in common.
     *
     * @param scenario the name that {@code storm bench --list} shows, or the name of a JMH benchmark or test
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

    /** The value of the column {@code round} in a file. */
    String roundCell() {
        return statistic == Statistic.ROUND ? String.valueOf(round) : statistic.title();
    }
}
