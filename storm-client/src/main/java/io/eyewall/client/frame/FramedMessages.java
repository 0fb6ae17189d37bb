package io.eyewall.client.frame;

import io.eyewall.client.seam.Receivers;
import io.eyewall.client.seam.TupleWire;
import io.eyewall.client.substitute.LoggedDrops;
import io.eyewall.client.substitute.ReceivedMessages;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.tuple.AddressedTuple;

/**
 * The way from a transport to the queues of a worker that reads frames. Upstream's messages take it, too, in order with the frames. Bytes
 * that are not a frame end their connection: Storm's Netty transport closes it with a line in the log, since the exception is an I/O error;
 * a transport that hands over its own memory gets an {@link UncheckedIOException}.
 */
public final class FramedMessages extends ReceivedMessages {

    private final WorkerState.ILocalTransferCallback queues;
    private final ThreadLocal<FrameReader> readers;

    /**
     * The callback of one worker; the other parameters are those of {@link ReceivedMessages}.
     *
     * @param frameWires what travels with the tuples of frames
     */
    public FramedMessages(Map<String, Object> topologyConf, GeneralTopologyContext context, WorkerState.ILocalTransferCallback queues,
            Supplier<TupleWire> wires, FrameWires frameWires, boolean takesMarkers, LoggedDrops drops) {
        super(topologyConf, context, queues, wires, takesMarkers, drops);
        this.queues = queues;
        readers = ThreadLocal.withInitial(() -> new FrameReader(topologyConf, context, frameWires.wires().get(), drops));
    }

    /**
     * The request for a receiver that announces to each worker which connects that this one reads frames, if it does.
     *
     * @param sharesMemory whether it says, too, that they may come through shared memory
     */
    public static Receivers.Request announcing(Receivers.Request request, boolean sharesMemory) {
        if (!(request.received() instanceof FramedMessages)) {
            return request;
        }
        return new Receivers.Request(request.context(), request.topologyId(), request.port(), request.received(), () -> {
            Object first = request.newConnectionResponse().get();
            return first instanceof BackPressureStatus status ? FrameAgreement.announce(status, sharesMemory) : first;
        });
    }

    @Override
    public void recv(List<TaskMessage> batch) {
        int from = 0;
        for (int i = 0; i < batch.size(); i++) {
            if (batch.get(i).task() == FrameMessage.TASK) {
                receiveMessages(batch.subList(from, i));
                try {
                    receiveFrame(batch.get(i).message());
                } catch (FrameException e) {
                    throw FramedMessages.<RuntimeException>unchecked(e);
                }
                from = i + 1;
            }
        }
        receiveMessages(batch.subList(from, batch.size()));
    }

    @Override
    public void take(int task, ByteBuffer message) {
        if (task != FrameMessage.TASK) {
            super.take(task, message);
            return;
        }
        byte[] frame = new byte[message.remaining()];
        message.get(frame);
        deliver();
        try {
            receiveFrame(frame);
        } catch (FrameException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void receiveMessages(List<TaskMessage> messages) {
        if (!messages.isEmpty()) {
            super.recv(messages);
        }
    }

    private void receiveFrame(byte[] frame) throws FrameException {
        ArrayList<AddressedTuple> tuples = new ArrayList<>();
        readers.get().read(frame, 0, frame == null ? 0 : frame.length, tuples);
        queues.transfer(tuples);
    }

    /** The exception itself: the transport tells an I/O error from others by its type. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Exception> E unchecked(Exception e) throws E {
        throw (E) e;
    }
}
