package io.eyewall.client.frame;

import java.util.Collection;
import java.util.Map;
import org.apache.storm.grouping.Load;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.netty.BackPressureStatus;

/** The sending end of a connection to a worker that reports no loads. */
interface SendingConnection extends IConnection {

    @Override
    default Map<Integer, Load> getLoad(Collection<Integer> tasks) {
        return Map.of();
    }

    @Override
    default void sendLoadMetrics(Map<Integer, Double> taskToLoad) {
        throw new UnsupportedOperationException();
    }

    @Override
    default void sendBackPressureStatus(BackPressureStatus status) {
        throw new UnsupportedOperationException();
    }
}
