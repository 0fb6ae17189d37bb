package io.eyewall.examples;

import io.eyewall.examples.configuration.ExampleConfiguration;
import io.eyewall.examples.configuration.ExampleKeys;
import io.eyewall.examples.operator.FunctionBolt;
import io.eyewall.examples.operator.LineSource;
import io.eyewall.examples.operator.MalformedRecordException;
import io.eyewall.examples.operator.MessageSource;
import io.eyewall.examples.operator.SinkBolt;
import io.eyewall.examples.operator.TopologyAssembly;
import io.eyewall.examples.operator.TupleFunction;
import io.eyewall.examples.operator.UserAction;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.thrift.TException;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * The real-time active user count of S. Kulkarni et al., Twitter Heron: Stream Processing at Scale, SIGMOD 2015, figure 1: the number of
 * different users that were active in each time bucket. Users and times come from columns of the input's lines.
 *
 * <p>Both counting bolts keep their counts in memory, for all users and buckets of the input, and lose them with their worker. A user
 * counter emits its whole count, so that a message that is processed again changes nothing.
 */
public final class RtacTopology implements ExampleTopology {

    private static final String SPOUT = "spout";
    private static final String DISTRIBUTOR = "distributor";
    private static final String USER_COUNT = "user-count";
    private static final String AGGREGATOR = "aggregator";
    private static final String USER = "user";
    private static final String BUCKET = "bucketSec";

    /**
     * Submits this topology; see {@link Main}.
     */
    public static void main(String[] arguments) throws TException {
        Main.submit(new RtacTopology(), arguments);
    }

    @Override
    public String name() {
        return "rtac";
    }

    @Override
    public String picture() {
        return "spout -> distributor -> (fields: user, bucketSec) user-count* -> (fields: bucketSec) aggregator*";
    }

    @Override
    public StormTopology build(ExampleConfiguration configuration) {
        UserAction.Columns columns = UserAction.Columns.of(configuration);
        long bucketSec = configuration.number(ExampleKeys.RTAC_BUCKET_SEC);
        TopologyAssembly assembly = new TopologyAssembly(configuration);
        assembly.spout(SPOUT, new LineSource());
        assembly.bolt(DISTRIBUTOR, new FunctionBolt(new Fields(USER, BUCKET, MessageSource.DUE_NS),
            (tuple, seed) -> distribute(tuple, columns, bucketSec), false), 1).shuffleGrouping(SPOUT);
        assembly.bolt(USER_COUNT, new FunctionBolt(new Fields(BUCKET, "active", MessageSource.DUE_NS), new UserCount(), true), 1)
            .fieldsGrouping(DISTRIBUTOR, new Fields(USER, BUCKET));
        assembly.sink(AGGREGATOR, new Aggregator(), 1).fieldsGrouping(USER_COUNT, new Fields(BUCKET));
        return assembly.topology();
    }

    @Override
    public Map<String, Map<String, Long>> expectedResults(ExampleConfiguration configuration) throws IOException {
        UserAction.Columns columns = UserAction.Columns.of(configuration);
        long bucketSec = configuration.number(ExampleKeys.RTAC_BUCKET_SEC);
        Map<Long, Set<String>> users = new TreeMap<>();
        InputRecords.forEachLine(configuration, (line, sequence) -> {
            try {
                UserAction action = UserAction.parse(line, columns);
                users.computeIfAbsent(bucket(action, bucketSec), none -> new HashSet<>()).add(action.user());
            } catch (MalformedRecordException dropped) {
                // The distributor reports such a line and drops it, so that no count includes it.
                return;
            }
        });
        Map<String, Long> counts = new TreeMap<>();
        users.forEach((bucket, active) -> counts.put(Long.toString(bucket), (long) active.size()));
        return Map.of(AGGREGATOR, counts);
    }

    private static Values distribute(Tuple tuple, UserAction.Columns columns, long bucketSec) throws MalformedRecordException {
        UserAction action = UserAction.parse(tuple.getString(0), columns);
        return new Values(action.user(), bucket(action, bucketSec), tuple.getValue(tuple.size() - 1));
    }

    /** The start of the bucket that contains a time, in seconds since 1970. */
    private static long bucket(UserAction action, long bucketSec) {
        return Math.floorDiv(action.epochSec(), bucketSec) * bucketSec;
    }

    /** Counts the different users in each bucket, among the users that this task receives. */
    private static final class UserCount implements TupleFunction {

        private final HashMap<Long, HashSet<String>> users = new HashMap<>();

        @Override
        public Values apply(Tuple tuple, long seed) {
            Long bucket = tuple.getLong(1);
            Set<String> active = users.computeIfAbsent(bucket, none -> new HashSet<>());
            active.add(tuple.getString(0));
            return new Values(bucket, active.size(), tuple.getValue(2));
        }
    }

    /** Adds up the latest counts of all user counters, for each bucket. */
    private static final class Aggregator extends SinkBolt {

        private transient Map<Long, Map<Integer, Integer>> activeByTask;

        private Aggregator() {
            super(true);
        }

        @Override
        protected void start(ExampleConfiguration configuration, boolean hasResults) {
            activeByTask = new HashMap<>();
        }

        @Override
        protected void process(Tuple tuple) {
            activeByTask.computeIfAbsent(tuple.getLong(0), none -> new HashMap<>())
                .merge(tuple.getSourceTask(), tuple.getInteger(1), Math::max);
        }

        @Override
        protected Map<String, Long> results() {
            Map<String, Long> counts = new HashMap<>();
            activeByTask.forEach((bucket, active) ->
                counts.put(Long.toString(bucket), active.values().stream().mapToLong(Integer::longValue).sum()));
            return counts;
        }
    }
}
