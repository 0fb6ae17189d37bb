package io.eyewall.client.hot;

import io.eyewall.client.seam.ForwardingReceiver;
import java.util.function.Consumer;
import org.apache.storm.messaging.netty.BackPressureStatus;

/** The receiving end of a worker, of which only the reports of back-pressure count. */
final class SimReceiver extends ForwardingReceiver {

    private final Consumer<BackPressureStatus> senders;

    SimReceiver(Consumer<BackPressureStatus> senders) {
        super(null);
        this.senders = senders;
    }

    @Override
    public void sendBackPressureStatus(BackPressureStatus status) {
        senders.accept(status);
    }
}
