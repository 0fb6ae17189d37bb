package io.eyewall.client.stream.manager;

import io.eyewall.client.ring.RingPlace;
import io.eyewall.client.stream.wire.DomainSockets;
import io.eyewall.client.stream.wire.Introduction;
import io.eyewall.client.stream.wire.RingChannel;
import io.eyewall.client.stream.wire.StreamWire;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.shade.io.netty.channel.EventLoopGroup;
import org.apache.storm.shade.io.netty.channel.MultiThreadIoEventLoopGroup;
import org.apache.storm.shade.io.netty.util.concurrent.Future;

/** A process that sends numbers to an instance, one after the other, until it is killed. */
final class FloodingInstance {

    /** What it says begins with this, and then has whether it has rings. */
    static final String SAYS = "rings: ";
    private static final int MAX_BYTES = 3_000;
    private static final int FLUSHED = 64;

    private FloodingInstance() {
    }

    /** The arguments are the socket, the id of this instance, and the one that it sends to. */
    public static void main(String[] arguments) throws Exception {
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, DomainSockets.ioHandlerFactory());
        int id = Integer.parseInt(arguments[1]);
        int target = Integer.parseInt(arguments[2]);
        ConnectedInstance self = new ConnectedInstance(loops, Path.of(arguments[0]), new Introduction(id, Set.of(id),
            ServedContainer.SECRET, Optional.of(RingPlace.SHARED_MEMORY)));
        self.awaitReachable(target);
        System.out.println(SAYS + (self.channel instanceof RingChannel));
        Random random = new Random(1);
        for (int number = 0; self.channel.isActive(); number++) {
            byte[] bytes = ByteBuffer.allocate(Integer.BYTES + random.nextInt(MAX_BYTES)).putInt(number).array();
            Future<?> sent = self.channel.write(StreamWire.message(self.channel.alloc(), target, new TaskMessage(5, bytes)));
            if (number % FLUSHED == 0) {
                self.channel.flush();
                sent = sent.await();
            }
        }
    }
}
