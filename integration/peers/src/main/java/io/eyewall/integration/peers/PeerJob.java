package io.eyewall.integration.peers;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Runs a workload until the cluster ends. All settings of Flink's own come from the cluster's configuration.
 *
 * <p>The operators of {@code const-null} and {@code chain} take turns in two slot sharing groups. With one slot in each of two
 * TaskManagers, every exchange crosses from one to the other. The four counters of {@code word-count} need four slots; with two in each
 * TaskManager, half of the words cross, as with a topology in two workers.
 */
public final class PeerJob {

    private static final String EVEN = "even";
    private static final String ODD = "odd";
    private static final int COUNTERS = 4;
    private static final TypeInformation<Tuple2<String, Long>> CONSTANT = Types.TUPLE(Types.STRING, Types.LONG);
    private static final TypeInformation<Tuple3<String, Long, Long>> WORD = Types.TUPLE(Types.STRING, Types.LONG, Types.LONG);

    private final StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    private final Pace pace;
    private final Arrivals arrivals;

    private PeerJob(Pace pace, Arrivals arrivals) {
        this.pace = pace;
        this.arrivals = arrivals;
    }

    /** Arguments: the workload, records per second or 0, how many records share one measured latency, directory of figures, text. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length != 5) {
            throw new IllegalArgumentException("expected: WORKLOAD RATE_PER_SEC MEASURED_EVERY MEASURE_DIR INPUT");
        }
        Pace pace = new Pace(Long.parseLong(arguments[1]), Integer.parseInt(arguments[2]));
        PeerJob job = new PeerJob(pace, new Arrivals(arguments[3]));
        switch (arguments[0]) {
            case "const-null" -> job.constNull();
            case "chain" -> job.chain();
            case "word-count" -> job.wordCount(arguments[4]);
            default -> throw new IllegalArgumentException("no workload " + arguments[0] + ": const-null, word-count or chain");
        }
        job.environment.execute(arguments[0]);
    }

    private void constNull() {
        sink(constants(), ODD);
    }

    private void chain() {
        sink(relay(relay(constants(), "stage-1", ODD), "stage-2", EVEN), ODD);
    }

    private void wordCount(String input) {
        environment.fromSource(new DataGeneratorSource<>(new Words(pace, input), Long.MAX_VALUE, WORD), WatermarkStrategy.noWatermarks(),
            "source").setParallelism(1).keyBy(word -> word.f0, Types.STRING)
            .process(new Count(arrivals)).setParallelism(COUNTERS).name("count");
    }

    private SingleOutputStreamOperator<Tuple2<String, Long>> constants() {
        return environment.fromSource(new DataGeneratorSource<>(new Constants(pace), Long.MAX_VALUE, CONSTANT),
            WatermarkStrategy.noWatermarks(), "source").setParallelism(1).slotSharingGroup(EVEN);
    }

    private static SingleOutputStreamOperator<Tuple2<String, Long>> relay(SingleOutputStreamOperator<Tuple2<String, Long>> from,
            String name, String group) {
        return from.rebalance().map(value -> value, CONSTANT).setParallelism(1).name(name).slotSharingGroup(group);
    }

    private <T extends Tuple> void sink(SingleOutputStreamOperator<T> from, String group) {
        from.rebalance().process(new Sink<T>(arrivals), Types.VOID).setParallelism(1).name("output").slotSharingGroup(group);
    }
}
