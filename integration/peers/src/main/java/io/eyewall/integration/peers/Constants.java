package io.eyewall.integration.peers;

import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.connector.datagen.source.GeneratorFunction;

/** The records of {@code const-null} and {@code chain}: a text and the due time. Object reuse is on, so there is one record. */
final class Constants implements GeneratorFunction<Long, Tuple2<String, Long>> {

    private final Pace pace;
    private final Tuple2<String, Long> message = Tuple2.of("x".repeat(10), Pace.NOT_MEASURED);

    Constants(Pace pace) {
        this.pace = pace;
    }

    @Override
    public Tuple2<String, Long> map(Long number) {
        message.f1 = pace.awaitNext();
        return message;
    }
}
