package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.tuple.Tuple;

/**
 * A sink that counts how often it received each value of the first field. All variants except {@link #counting} count only if the results
 * are to be written, since the texts of an endless stream would fill the memory.
 */
public final class CountBolt extends SinkBolt {

    private final boolean countsAlways;
    /** Null if values are counted unchanged. */
    private final TextFunction function;

    private transient long seed;
    /** Null if nothing is counted. */
    private transient Map<String, Count> counts;

    private CountBolt(boolean countsAlways, boolean works, TextFunction function) {
        super(works);
        this.countsAlways = countsAlways;
        this.function = function;
    }

    /**
     * A sink with work that always counts.
     */
    public static CountBolt counting() {
        return new CountBolt(true, true, null);
    }

    /**
     * A sink that discards its messages.
     *
     * @param works whether the topology's cost per message applies to it
     */
    public static CountBolt discarding(boolean works) {
        return new CountBolt(false, works, null);
    }

    /**
     * A sink with work that applies a function to each text and discards the result.
     */
    public static CountBolt applying(TextFunction function) {
        return new CountBolt(false, true, function);
    }

    @Override
    protected void start(ExampleConfiguration configuration, boolean hasResults) {
        seed = configuration.number(ExampleKeys.SEED);
        counts = countsAlways || hasResults ? new HashMap<>() : null;
    }

    @Override
    protected void process(Tuple tuple) {
        String key = tuple.getString(0);
        if (function != null) {
            key = function.apply(key, tuple.getLong(LineSource.SEQUENCE), seed);
        }
        if (counts == null) {
            return;
        }
        Count count = counts.get(key);
        if (count == null) {
            count = new Count();
            counts.put(key, count);
        }
        count.value++;
    }

    @Override
    protected Map<String, Long> results() {
        Map<String, Long> copy = new HashMap<>();
        counts.forEach((key, count) -> copy.put(key, count.value));
        return copy;
    }

    private static final class Count {
        private long value;
    }
}
