package io.eyewall.integration.peers;

import java.io.IOException;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple3;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Counts each word in Flink's keyed state, which checkpoints save. */
final class Count extends KeyedProcessFunction<String, Tuple3<String, Long, Long>, Void> {

    private final Arrivals arrivals;

    private transient ValueState<Long> count;

    Count(Arrivals arrivals) {
        this.arrivals = arrivals;
    }

    @Override
    public void open(OpenContext context) throws IOException {
        count = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Types.LONG));
        arrivals.open(getRuntimeContext().getTaskInfo());
    }

    @Override
    public void processElement(Tuple3<String, Long, Long> word, Context context, Collector<Void> out) throws IOException {
        Long before = count.value();
        count.update(before == null ? 1 : before + 1);
        arrivals.processed(word.f2);
    }

    @Override
    public void close() {
        arrivals.close();
    }
}
