package io.eyewall.client.seam;

import org.apache.storm.windowing.TimestampExtractor;

/** Woven into {@code WindowedBoltExecutor}: where the times of a windowed bolt's tuples come from. For any thread. */
public interface TimestampAccess {

    /** What reads the time out of a tuple; null if windows end by the clock. */
    TimestampExtractor getTimestampExtractor();
}
