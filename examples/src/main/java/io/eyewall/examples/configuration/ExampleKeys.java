package io.eyewall.examples.configuration;

import java.util.List;

/**
 * All keys of the examples, in the order of the reference table in the module's README.
 */
public final class ExampleKeys {

    public static final ExampleKey RATE_PER_SEC = ExampleKey.number("eyewall.rate.per.sec", 0, 0, 100_000_000,
        "messages per second that are due in the whole topology, split over the tasks of its spouts; "
            + "0: as fast as topology.max.spout.pending allows");
    public static final ExampleKey RECORDS = ExampleKey.number("eyewall.records", 0, 0, Long.MAX_VALUE,
        "input records (lines; constant messages) after which the spouts stop; 0: endless, files are read again and again");
    public static final ExampleKey INPUT = ExampleKey.text("eyewall.input", "",
        "absolute path of the file that spouts read line by line, the same on every host; unset: data/europarl.txt beside the jar");
    public static final ExampleKey PAYLOAD_BYTES = ExampleKey.number("eyewall.payload.bytes", 0, 0, 16 * 1024 * 1024,
        "size of a message: lines of text are cut or repeated to so many characters, constant messages have so many bytes; "
            + "0: lines as they are, constant messages of 10 bytes");
    public static final ExampleKey SEED = ExampleKey.number("eyewall.seed", 1, Long.MIN_VALUE, Long.MAX_VALUE,
        "seed of every random choice; the same seed and input make the same choices");
    public static final ExampleKey WORK_OPS = ExampleKey.numberPerComponent("eyewall.work.ops", 0, 0, 1_000_000_000,
        "cost of one message in a working operator, in arithmetic operations (64-bit multiply and add)");
    public static final ExampleKey WORK_MS = ExampleKey.numberPerComponent("eyewall.work.ms", 0, 0, 60_000,
        "cost of one message in a working operator, in milliseconds asleep");
    public static final ExampleKey PARALLELISM = ExampleKey.numberPerComponent("eyewall.parallelism", 0, 0, 10_000,
        "executors of each component; 0: the topology's own default, mostly 1");
    public static final ExampleKey TASKS = ExampleKey.numberPerComponent("eyewall.tasks", 0, 0, 10_000,
        "tasks of each component; 0: one per executor");
    public static final ExampleKey MEASURE_DIR = ExampleKey.text("eyewall.measure.dir", "",
        "absolute directory for latency histograms and counters; unset: nothing is written");
    public static final ExampleKey RESULTS_DIR = ExampleKey.text("eyewall.results.dir", "",
        "absolute directory for what the sinks received, once a second; unset: nothing is written");

    private static final List<ExampleKey> ALL = List.of(RATE_PER_SEC, RECORDS, INPUT, PAYLOAD_BYTES, SEED, WORK_OPS, WORK_MS, PARALLELISM,
        TASKS, MEASURE_DIR, RESULTS_DIR);

    private ExampleKeys() {
    }

    /**
     * Every key, in the order of the reference table.
     */
    public static List<ExampleKey> all() {
        return ALL;
    }

    /**
     * Whether a configuration's key is one of these, or one of these for one component.
     */
    public static boolean isKey(String name) {
        return ALL.stream().anyMatch(key -> name.equals(key.name()) || (key.perComponent() && name.startsWith(key.name() + '.')));
    }
}
