package io.eyewall.integration.peers;

import java.io.IOException;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.java.tuple.Tuple;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

/** Measures records, whose last value is their due time, and drops them. */
final class Sink<T extends Tuple> extends ProcessFunction<T, Void> {

    private final Arrivals arrivals;

    Sink(Arrivals arrivals) {
        this.arrivals = arrivals;
    }

    @Override
    public void open(OpenContext context) throws IOException {
        arrivals.open(getRuntimeContext().getTaskInfo());
    }

    @Override
    public void processElement(T value, Context context, Collector<Void> out) {
        arrivals.processed(value.<Long>getField(value.getArity() - 1));
    }

    @Override
    public void close() {
        arrivals.close();
    }
}
