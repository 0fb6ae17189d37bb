package io.eyewall.tail.output;

import io.eyewall.client.stream.container.ContainerFeature.Members;
import io.eyewall.client.stream.manager.StreamManagerMain;
import io.eyewall.client.stream.slot.ProcessFile;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the stream manager of a container says about back-pressure.
 *
 * @param forMs for how long an instance has caused it; 0 if it does not
 * @param totalMs for how long it has caused it in all, since the stream manager started
 */
record BackPressureTimes(long forMs, long totalMs) {

    private static final Logger LOG = LoggerFactory.getLogger(BackPressureTimes.class);
    private static final int COLUMNS = 3;

    /** The times of those instances that have caused it, by id. */
    static Map<Integer, BackPressureTimes> of(Members members) {
        Map<Integer, BackPressureTimes> all = new HashMap<>();
        try {
            String page = ProcessFile.read(members.directory(StreamManagerMain.NAME).resolve(ProcessFile.HELD)).orElse("");
            for (String line : page.lines().toList()) {
                String[] columns = line.split("\t", -1);
                if (columns.length != COLUMNS) {
                    throw new NumberFormatException(columns.length + " columns");
                }
                all.put(Integer.valueOf(columns[0]), new BackPressureTimes(Long.parseLong(columns[1]), Long.parseLong(columns[2])));
            }
        } catch (IOException | NumberFormatException e) {
            LOG.warn("Cannot read what the stream manager says about back-pressure: {}", e.toString());
        }
        return all;
    }
}
