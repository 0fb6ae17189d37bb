package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
import java.io.Serializable;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;

/**
 * An action of a user.
 *
 * @param user     the id of the user
 * @param epochSec the time of the action, in seconds since 1970
 */
public record UserAction(String user, long epochSec) {

    private static final int DATE_LENGTH = "2009-01-06".length();

    /**
     * The columns of a line that hold the user and the time.
     *
     * @param userColumn from 0
     * @param timeColumn from 0
     */
    public record Columns(int userColumn, int timeColumn) implements Serializable {

        /**
         * The configured columns.
         */
        public static Columns of(ExampleConfiguration configuration) {
            return new Columns((int) configuration.number(ExampleKeys.RTAC_USER_COLUMN),
                (int) configuration.number(ExampleKeys.RTAC_TIME_COLUMN));
        }
    }

    /**
     * Parses a line. Tabs separate its columns, or commas if it has no tab.
     *
     * @throws MalformedRecordException if a column is missing or the time is malformed
     */
    public static UserAction parse(String line, Columns columns) throws MalformedRecordException {
        String[] values = line.split(line.indexOf('\t') < 0 ? "," : "\t", -1);
        if (values.length <= Math.max(columns.userColumn(), columns.timeColumn())) {
            throw new MalformedRecordException(String.format("Expected the columns %d and %d (%s, %s), but got: %s", columns.userColumn(),
                columns.timeColumn(), ExampleKeys.RTAC_USER_COLUMN.name(), ExampleKeys.RTAC_TIME_COLUMN.name(), line));
        }
        return new UserAction(values[columns.userColumn()], epochSec(values[columns.timeColumn()], line));
    }

    private static long epochSec(String time, String line) throws MalformedRecordException {
        try {
            if (time.indexOf('-') < 1) {
                return Long.parseLong(time);
            }
            return time.length() == DATE_LENGTH
                ? LocalDate.parse(time).toEpochSecond(LocalTime.MIDNIGHT, ZoneOffset.UTC)
                : LocalDateTime.parse(time).toEpochSecond(ZoneOffset.UTC);
        } catch (DateTimeException | NumberFormatException noTime) {
            throw new MalformedRecordException(String.format("Expected a time such as 2009-01-06T05:15:07, but got '%s' (%s) in: %s", time,
                ExampleKeys.RTAC_TIME_COLUMN.name(), line), noTime);
        }
    }
}
