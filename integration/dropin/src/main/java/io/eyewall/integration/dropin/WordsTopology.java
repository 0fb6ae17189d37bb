package io.eyewall.integration.dropin;

import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.trident.TridentState;
import org.apache.storm.trident.TridentTopology;
import org.apache.storm.trident.operation.BaseFilter;
import org.apache.storm.trident.operation.BaseFunction;
import org.apache.storm.trident.operation.TridentCollector;
import org.apache.storm.trident.operation.TridentOperationContext;
import org.apache.storm.trident.operation.builtin.Count;
import org.apache.storm.trident.operation.builtin.FilterNull;
import org.apache.storm.trident.operation.builtin.MapGet;
import org.apache.storm.trident.operation.builtin.Sum;
import org.apache.storm.trident.testing.FixedBatchSpout;
import org.apache.storm.trident.testing.MemoryMapState;
import org.apache.storm.trident.tuple.TridentTuple;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/**
 * Counts words in batches of two sentences, and serves the DRPC function {@code words}: returns the sum of the counts of its argument's
 * words.
 */
final class WordsTopology {

    private WordsTopology() {
    }

    @SuppressWarnings("unchecked")
    static StormTopology build(Config config) {
        config.setMaxSpoutPending(1);
        FixedBatchSpout sentences = new FixedBatchSpout(new Fields("sentence"), 2,
            new Values("the eye of the storm"),
            new Values("the wall of the eye"),
            new Values("a storm has one eye"),
            new Values("and the wall is the storm"),
            new Values("one wall one eye"));
        TridentTopology topology = new TridentTopology();
        TridentState counts = topology.newStream("sentences", sentences)
            .each(new Fields("sentence"), new Words(), new Fields("word"))
            .groupBy(new Fields("word"))
            .persistentAggregate(new MemoryMapState.Factory(), new Count(), new Fields("count"))
            .parallelismHint(2);
        counts.newValuesStream().each(new Fields("word", "count"), new Written("counts"));
        topology.newDRPCStream("words")
            .each(new Fields("args"), new Words(), new Fields("word"))
            .groupBy(new Fields("word"))
            .stateQuery(counts, new Fields("word"), new MapGet(), new Fields("count"))
            .each(new Fields("count"), new FilterNull())
            .aggregate(new Fields("count"), new Sum(), new Fields("sum"));
        return topology.build();
    }

    /** Splits at blanks. */
    private static final class Words extends BaseFunction {

        private static final long serialVersionUID = 1L;

        @Override
        public void execute(TridentTuple tuple, TridentCollector collector) {
            for (String word : tuple.getString(0).split(" ", -1)) {
                collector.emit(new Values(word));
            }
        }
    }

    /** Writes every tuple and keeps it. */
    private static final class Written extends BaseFilter {

        private static final long serialVersionUID = 1L;
        private final String name;
        private transient Output output;

        Written(String name) {
            this.name = name;
        }

        @Override
        public void prepare(Map<String, Object> configuration, TridentOperationContext context) {
            output = Output.of(configuration, name + "-" + context.getPartitionIndex());
        }

        @Override
        public boolean isKeep(TridentTuple tuple) {
            output.line(tuple.getString(0) + " " + tuple.getLong(1));
            return true;
        }
    }
}
