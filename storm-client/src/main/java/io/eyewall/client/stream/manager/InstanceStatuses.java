package io.eyewall.client.stream.manager;

import io.eyewall.client.stream.wire.InstanceStatus;
import io.eyewall.client.stream.wire.StreamWire;
import org.apache.storm.shade.io.netty.channel.Channel;
import org.apache.storm.shade.io.netty.channel.ChannelOutboundBuffer;
import org.apache.storm.shade.io.netty.util.concurrent.Future;

/** Sends statuses to an instance. While too much waits for it, only the newest one is kept. Used by the thread of the loop. */
final class InstanceStatuses {

    /** An instance for which so much waits gets the newest status only when that has become less. */
    private static final long LATE_BYTES = 1L << 20;

    private final Channel channel;
    /** What it gets when it has taken more of what waits; null if nothing. */
    private InstanceStatus late;

    /** Nothing was sent. */
    InstanceStatuses(Channel channel) {
        this.channel = channel;
    }

    /** Sends a status, or keeps it; returns whether it is late. */
    boolean send(InstanceStatus status) {
        if (late != null || waitingBytes() > LATE_BYTES) {
            late = late == null ? status : status.after(late);
        } else {
            Future<?> unused = channel.writeAndFlush(StreamWire.message(channel.alloc(), status));
        }
        return late != null;
    }

    /** Sends what is late if that is possible now, and returns whether it still is. */
    boolean isLate() {
        if (late != null && waitingBytes() <= LATE_BYTES) {
            InstanceStatus status = late;
            late = null;
            send(status);
        }
        return late != null;
    }

    /** How much the instance has not taken. */
    long waitingBytes() {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes(); // It is closed.
    }
}
