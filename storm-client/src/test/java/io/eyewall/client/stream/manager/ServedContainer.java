package io.eyewall.client.stream.manager;

import io.eyewall.client.seam.NoTransport;
import io.eyewall.client.stream.plan.InstancePlan;
import io.eyewall.client.stream.plan.TestComponents;
import io.eyewall.client.stream.wire.DomainSockets;
import io.eyewall.client.stream.wire.Hello;
import io.eyewall.client.time.NanoClock;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.storm.generated.Assignment;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.messaging.IContext;
import org.apache.storm.shade.io.netty.channel.EventLoop;
import org.apache.storm.shade.io.netty.channel.EventLoopGroup;
import org.apache.storm.shade.io.netty.channel.MultiThreadIoEventLoopGroup;
import org.apache.storm.shade.io.netty.util.concurrent.Future;

/**
 * A container's socket and the way of its tuples, without instances. Instance {@link #SPOUT} is a spout's, instance {@link #REMOTE} belongs
 * to another container, to which there is no connection, and the others are bolts' of this one.
 */
public final class ServedContainer {

    public static final String SECRET = "ab".repeat(Hello.SECRET_BYTES / 2);
    static final int SPOUT = 1;
    static final int REMOTE = 3;

    static final NodeInfo OTHER = new NodeInfo("b", Set.of(6700L));

    private static final NodeInfo SELF = new NodeInfo("a", Set.of(6700L));
    private static final int INSTANCES = 5;

    final Containers containers;
    final BackPressureCauses held = new BackPressureCauses("all wait");
    final InstanceServer server;
    final Router router;
    public final Path socket;
    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, DomainSockets.ioHandlerFactory());
    private final EventLoop loop = loops.next();
    /** Whether a task of the loop has thrown an exception, after which the process of a stream manager ends. */
    public volatile boolean failed;

    /** Listens in a directory. Bolts get no tuples by their declaration. */
    ServedContainer(Path directory, IContext transport, Backlog backlog) throws Exception {
        this(directory, transport, backlog, new TestComponents(task -> task == SPOUT ? "spout" : "bolt", 1, "none"));
    }

    /** Listens in a directory. */
    ServedContainer(Path directory, IContext transport, Backlog backlog, TestComponents components) throws Exception {
        LoopGuard guard = new LoopGuard(() -> failed = true);
        containers = new Containers(SELF, "self", "topology", transport, INSTANCES, new ContainerSenders(loop, 0, guard), backlog);
        server = new InstanceServer(loop, SECRET, containers, backlog, held, guard, NanoClock.SYSTEM);
        Map<List<Long>, NodeInfo> executors = new HashMap<>();
        for (long instance = 1; instance <= INSTANCES; instance++) {
            executors.put(List.of(instance, instance), instance == REMOTE ? OTHER : SELF);
        }
        Assignment assignment = new Assignment("");
        assignment.set_executor_node_port(executors);
        assignment.set_node_host(Map.of("a", "localhost"));
        router = new Router(SELF, InstancePlan.of(assignment, components), false, components, new Departures(1), server);
        socket = directory.resolve("s");
        server.listen(socket, router);
    }

    /** Listens in a directory, and reaches no other container. */
    public static ServedContainer alone(Path directory, TestComponents components) throws Exception {
        return new ServedContainer(directory, new NoTransport(), new Backlog(), components);
    }

    EventLoop loop() {
        return loop;
    }

    /** Closes everything, the transport included. */
    public void close() throws InterruptedException {
        containers.end(loop, server::close);
        Future<?> unused = loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }
}
