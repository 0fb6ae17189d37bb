package io.eyewall.examples.configuration;

import java.util.List;

/**
 * All keys of the examples, in the order of the table in docs/reference/examples.md.
 */
public final class ExampleKeys {

    public static final ExampleKey RATE_PER_SEC = ExampleKey.number("eyewall.rate.per.sec", 0, 0, 100_000_000,
        "messages per second that are due in the whole topology, shared by the tasks of its spouts; 0: as fast as "
            + "topology.max.spout.pending allows");
    public static final ExampleKey RATE_FILE = ExampleKey.text("eyewall.rate.file", "",
        "instead of eyewall.rate.per.sec: absolute path of a file with such a rate in each line, the same on every host; after "
            + "the last it is read again, so that it may change meanwhile");
    public static final ExampleKey RATE_STEP_SEC = ExampleKey.number("eyewall.rate.step.sec", 60, 1, 86_400,
        "how long each rate of eyewall.rate.file holds, in seconds");
    public static final ExampleKey RATE_VARIES = ExampleKey.number("eyewall.rate.varies", 0, 0, 2,
        "0: all gaps between messages are equal; 1: they have an exponential distribution (a Poisson process); 2: they have a Pareto "
            + "distribution with the shape 1.5, so that messages come in bursts");
    public static final ExampleKey LATENCY_FROM_EMIT = ExampleKey.number("eyewall.latency.from.emit", 0, 0, 1,
        "1: the latency of a message begins when its spout emits it, as in Storm's own metrics; 0: it begins when the message "
            + "is due, and so includes the time until Storm asks the spout for it");
    public static final ExampleKey LATENCY_EVERY = ExampleKey.number("eyewall.latency.every", 1, 1, 1_000_000,
        "each spout task measures the latency of one message in this many; at full speed, measuring every message costs a third "
            + "of the throughput");
    public static final ExampleKey TWICE_PERCENT = ExampleKey.number("eyewall.twice.percent", 0, 0, 100,
        "percentage of the messages, chosen by the seed, that are emitted twice at once; the first instance to be processed acks "
            + "the message");
    public static final ExampleKey RECORDS = ExampleKey.number("eyewall.records", 0, 0, Long.MAX_VALUE,
        "number of input records (lines, or constant messages) after which the spouts stop; 0: they never stop and read files "
            + "again and again");
    public static final ExampleKey INPUT = ExampleKey.text("eyewall.input", "",
        "absolute path of the file that spouts read line by line, the same on every host; unset: data/europarl.txt beside the jar");
    public static final ExampleKey PAYLOAD_BYTES = ExampleKey.number("eyewall.payload.bytes", 0, 0, 16 * 1024 * 1024,
        "size of a message: lines of text are cut or repeated to this many characters, constant messages have this many bytes; "
            + "0: lines are unchanged, constant messages have 10 bytes");
    public static final ExampleKey SEED = ExampleKey.number("eyewall.seed", 1, Long.MIN_VALUE, Long.MAX_VALUE,
        "seed of all random choices; the same seed and input lead to the same choices");
    public static final ExampleKey WORK_OPS = ExampleKey.numberPerComponent("eyewall.work.ops", 0, 0, 1_000_000_000,
        "cost of one message in an operator with work, in arithmetic operations (64-bit multiply and add)");
    public static final ExampleKey WORK_MS = ExampleKey.numberPerComponent("eyewall.work.ms", 0, 0, 60_000,
        "cost of one message in an operator with work, in milliseconds of sleep");
    public static final ExampleKey WORK_VARIES = ExampleKey.numberPerComponent("eyewall.work.varies", 0, 0, 1,
        "1: the costs of messages have an exponential distribution, with eyewall.work.ops and eyewall.work.ms as the mean; "
            + "0: all messages cost the same");
    public static final ExampleKey WORK_EVERY = ExampleKey.numberPerComponent("eyewall.work.every", 1, 1, 1_000_000,
        "an operator with work does it for one message in this many, the last one of them");
    public static final ExampleKey WORK_STALL_SEC = ExampleKey.numberPerComponent("eyewall.work.stall.sec", 0, 0, 3_600,
        "an operator with work stalls for this many seconds at its first message, and again at the first message ten seconds or "
            + "more after the stall; 0: never");
    public static final ExampleKey WORK_SLOW_FACTOR = ExampleKey.numberPerComponent("eyewall.work.slow.factor", 1, 1, 1_000,
        "by what factor messages cost more in a slow task");
    public static final ExampleKey WORK_SLOW_WORKER = ExampleKey.number("eyewall.work.slow.worker", 0, 0, 1,
        "1: the slow tasks are all tasks of one of the topology's workers, as on a slow host; 0: the first task of each operator "
            + "with work");
    public static final ExampleKey PARALLELISM = ExampleKey.numberPerComponent("eyewall.parallelism", 0, 0, 10_000,
        "number of executors of each component; 0: the topology's default, usually 1");
    public static final ExampleKey TASKS = ExampleKey.numberPerComponent("eyewall.tasks", 0, 0, 10_000,
        "number of tasks of each component; 0: one per executor");
    public static final ExampleKey MEASURE_DIR = ExampleKey.text("eyewall.measure.dir", "",
        "absolute path of the directory for latency histograms and counters; unset: nothing is written");
    public static final ExampleKey RESULTS_DIR = ExampleKey.text("eyewall.results.dir", "",
        "absolute path of the directory for the counts of the sinks, which must be a new one for each run; sinks write once a "
            + "second, and ack messages after they have written their counts; unset: nothing is written");
    public static final ExampleKey BULK_PER_SEC = ExampleKey.number("eyewall.pipelines.bulk.per.sec", 0, 0, 100_000_000,
        "pipelines, shared-pipelines: messages per second that are due in all bulk pipelines together, in bursts as with "
            + "eyewall.rate.varies=2; 0: as fast as topology.max.spout.pending allows");
    public static final ExampleKey RTAC_USER_COLUMN = ExampleKey.number("eyewall.rtac.user.column", 0, 0, 1000,
        "rtac: the column of the user's id, from 0; tabs separate the columns, or commas in a line without a tab");
    public static final ExampleKey RTAC_TIME_COLUMN = ExampleKey.number("eyewall.rtac.time.column", 1, 0, 1000,
        "rtac: the column of the time, from 0: 2009-01-06, 2009-01-06T05:15:07 (UTC), or seconds since 1970");
    public static final ExampleKey RTAC_BUCKET_SEC = ExampleKey.number("eyewall.rtac.bucket.sec", 86_400, 1, 31_536_000,
        "rtac: length of the buckets, in each of which a user counts once, in seconds");
    public static final ExampleKey YAHOO_CAMPAIGNS = ExampleKey.number("eyewall.yahoo.campaigns", 100, 1, 100_000,
        "yahoo-streaming: number of campaigns, each with ten advertisements");
    public static final ExampleKey YAHOO_WINDOW_SEC = ExampleKey.number("eyewall.yahoo.window.sec", 10, 1, 86_400,
        "yahoo-streaming: length of a window, in seconds");
    public static final ExampleKey REDIS_HOST = ExampleKey.text("eyewall.redis.host", "localhost",
        "yahoo-streaming: host of the Redis server");
    public static final ExampleKey REDIS_PORT = ExampleKey.number("eyewall.redis.port", 6379, 1, 65_535,
        "yahoo-streaming: port of the Redis server");

    private static final List<ExampleKey> ALL = List.of(
        RATE_PER_SEC, RATE_FILE, RATE_STEP_SEC, RATE_VARIES, LATENCY_FROM_EMIT, LATENCY_EVERY, TWICE_PERCENT, RECORDS, INPUT,
        PAYLOAD_BYTES, SEED,
        WORK_OPS, WORK_MS, WORK_VARIES, WORK_EVERY, WORK_STALL_SEC, WORK_SLOW_FACTOR, WORK_SLOW_WORKER, PARALLELISM, TASKS,
        MEASURE_DIR, RESULTS_DIR, BULK_PER_SEC, RTAC_USER_COLUMN, RTAC_TIME_COLUMN, RTAC_BUCKET_SEC, YAHOO_CAMPAIGNS,
        YAHOO_WINDOW_SEC, REDIS_HOST, REDIS_PORT);

    private ExampleKeys() {
    }

    /**
     * Every key, in the order of the reference table.
     */
    public static List<ExampleKey> all() {
        return ALL;
    }

    /**
     * Whether a name is that of a key, or of a key for one component.
     */
    public static boolean isKey(String name) {
        return ALL.stream().anyMatch(key -> name.equals(key.name()) || (key.perComponent() && name.startsWith(key.name() + '.')));
    }
}
