package io.eyewall.client.weaving;

import com.esotericsoftware.kryo.io.Input;
import io.eyewall.client.seam.woven.SeamEntry;
import io.eyewall.client.seam.woven.SubmissionEntry;
import io.eyewall.client.seam.woven.WovenCalls;
import io.eyewall.client.security.BoundedInput;
import io.eyewall.client.security.CertifiedCallers;
import io.eyewall.client.security.ConnectionFailures;
import io.eyewall.client.security.MalformedAcks;
import io.eyewall.client.security.Refusals;
import io.eyewall.client.security.WovenSecurity;
import io.eyewall.client.stream.container.ContainerMain;
import io.eyewall.client.stream.instance.MetricPort;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.apache.storm.daemon.Task;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.executor.IRunningExecutor;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.grouping.LoadAwareCustomStreamGrouping;
import org.apache.storm.shade.io.netty.channel.ChannelHandlerContext;
import org.apache.storm.stats.BoltExecutorStats;
import org.apache.storm.task.WorkerTopologyContext;
import org.apache.storm.thrift.TApplicationException;
import org.apache.storm.thrift.TException;
import org.apache.storm.thrift.TProcessor;
import org.apache.storm.thrift.protocol.TProtocol;
import org.apache.storm.thrift.transport.TServerSocket;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.NimbusClient;

/**
 * The code that is inlined at the beginning or the end of upstream's methods: one call each, since inlined code has no line numbers of its
 * own in a stack trace.
 */
final class SeamAdvice {

    private SeamAdvice() {
    }

    /** Before the process of a worker does anything. */
    static final class Starting {
        private Starting() {
        }

        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(@Advice.Argument(0) String[] arguments) throws Exception {
            return ContainerMain.takesOver(arguments);
        }
    }

    /** Before room is made for the elements of a collection or a map that is read. */
    static final class Sized {
        private Sized() {
        }

        @Advice.OnMethodEnter
        @SuppressWarnings("UnusedVariable") // The method goes on with it.
        static void enter(@Advice.Argument(1) Input input, @Advice.Argument(value = 3, readOnly = false) int elements) {
            elements = BoundedInput.room(input, elements);
        }
    }

    /** Before a worker makes its queues. */
    static final class Open {
        private Open() {
        }

        @Advice.OnMethodEnter
        static void enter(@Advice.This WorkerState worker, @Advice.Argument(0) Map<String, Object> topologyConf,
                @Advice.Argument(1) Set<List<Long>> executors) {
            SeamEntry.open(worker, topologyConf, executors);
        }
    }

    /** Before a worker inserts the tuples of a batch from another worker. */
    static final class Received {
        private Received() {
        }

        @Advice.OnMethodEnter
        @SuppressWarnings("NonApiType") // Upstream's parameter.
        static void enter(@Advice.This WorkerState worker, @Advice.Argument(0) ArrayList<AddressedTuple> batch) {
            WovenCalls.insertGroups(worker, batch);
        }
    }

    /** After a worker closed its resources. */
    static final class Close {
        private Close() {
        }

        @Advice.OnMethodExit
        static void exit(@Advice.This WorkerState worker) {
            SeamEntry.close(worker);
        }
    }

    /** After upstream made and prepared a grouping. */
    static final class GroupingMade {
        private GroupingMade() {
        }

        @Advice.OnMethodExit
        @SuppressWarnings({"checkstyle:ParameterNumber", "ParameterNotUsed", "UnusedVariable"})
        static void exit(@Advice.Argument(0) WorkerTopologyContext context, @Advice.Argument(1) String componentId,
                @Advice.Argument(2) String streamId, @Advice.Argument(3) Fields outFields, @Advice.Argument(4) Grouping grouping,
                @Advice.Argument(5) List<Integer> targetTasks, @Advice.Argument(6) Map<String, Object> topologyConf,
                @Advice.Return(readOnly = false) LoadAwareCustomStreamGrouping result) {
            result = WovenCalls.grouping(context, componentId, streamId, outFields, grouping, targetTasks, topologyConf, result);
        }
    }

    /** After upstream deserialized the object of a task. */
    static final class TaskObjectMade {
        private TaskObjectMade() {
        }

        @Advice.OnMethodExit
        @SuppressWarnings("UnusedVariable")
        static void exit(@Advice.This Task task, @Advice.Return(readOnly = false) Object result) {
            result = WovenCalls.taskObject(task, result);
        }
    }

    /** After a worker found the tasks to which its own tasks send. */
    static final class OutboundTasksFound {
        private OutboundTasksFound() {
        }

        @Advice.OnMethodExit
        @SuppressWarnings("UnusedVariable")
        static void exit(@Advice.This WorkerState worker, @Advice.Return(readOnly = false) Set<Integer> result) {
            result = WovenCalls.outboundTasks(worker, result);
        }
    }

    /** Around the computation of a bolt's capacity. */
    static final class CapacityWorkedOut {
        private CapacityWorkedOut() {
        }

        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(@Advice.This BoltExecutorStats stats, @Advice.Argument(0) long uptimeSecs) {
            return WovenCalls.isCapacityKnown(stats, uptimeSecs);
        }

        @Advice.OnMethodExit
        @SuppressWarnings("UnusedVariable")
        static void exit(@Advice.This BoltExecutorStats stats, @Advice.Enter boolean known,
                @Advice.Return(readOnly = false) double capacity) {
            capacity = WovenCalls.capacity(stats, known, capacity);
        }
    }

    /** Around the making of the socket of a server over TLS. */
    static final class TlsSocketMade {
        private TlsSocketMade() {
        }

        @Advice.OnMethodEnter
        @SuppressWarnings("UnusedVariable")
        static void enter(@Advice.Argument(value = 4, readOnly = false) InetAddress address) {
            address = CertifiedCallers.anyAddress();
        }

        @Advice.OnMethodExit
        static void exit(@Advice.Argument(3) boolean required, @Advice.Return TServerSocket socket) {
            CertifiedCallers.require(required, socket);
        }
    }

    /** After a transport was chosen for connections of some kind. */
    static final class TransportChosen {
        private TransportChosen() {
        }

        @Advice.OnMethodExit
        @SuppressWarnings("UnusedVariable")
        static void exit(@Advice.FieldValue("tlsEnabled") boolean tls, @Advice.FieldValue("transConf") String key,
                @Advice.Argument(0) Map<String, Object> conf, @Advice.Return(readOnly = false) String transport) {
            if (tls) {
                transport = CertifiedCallers.transport(conf, key);
            }
        }
    }

    /** In place of serving a request that came over TLS. */
    static final class CalledOverTls {
        private CalledOverTls() {
        }

        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(@Advice.FieldValue("wrapped") TProcessor served, @Advice.Argument(0) TProtocol in,
                @Advice.Argument(1) TProtocol out) throws TException {
            CertifiedCallers.process(served, in, out);
            return true;
        }
    }

    /** Before a worker does something about a connection that it has accepted and that has failed. */
    static final class ConnectionFailed {
        private ConnectionFailed() {
        }

        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(@Advice.Argument(0) ChannelHandlerContext context, @Advice.Argument(1) Throwable failure) {
            return ConnectionFailures.close(context, failure);
        }
    }

    /** After the acker has executed a tuple. */
    static final class AckExecuted {
        private AckExecuted() {
        }

        @Advice.OnMethodExit(onThrowable = RuntimeException.class)
        @SuppressWarnings("UnusedVariable")
        static void exit(@Advice.Argument(0) Tuple tuple, @Advice.Thrown(readOnly = false) Throwable thrown) {
            if (thrown != null && MalformedAcks.drop(tuple, thrown)) {
                thrown = null;
            }
        }
    }

    /** After an id of upstream's was compared with an object, which may be an id of ours. */
    static final class IdsCompared {
        private IdsCompared() {
        }

        @Advice.OnMethodExit
        @SuppressWarnings("UnusedVariable")
        static void exit(@Advice.This MessageId id, @Advice.Argument(0) Object other, @Advice.Return(readOnly = false) boolean equal) {
            equal = WovenCalls.equalIds(id, other, equal);
        }
    }

    /** After a producer flushed as much of its batch as it saw space for. */
    static final class Flushing {
        private Flushing() {
        }

        @Advice.OnMethodExit(repeatOn = Advice.OnNonDefaultValue.class)
        static boolean exit(@Advice.FieldValue("currentBatch") List<Object> batch) {
            return WovenCalls.isLeftToFlush(batch);
        }
    }

    /** Before a client hands a topology to Nimbus. */
    static final class Submitting {
        private Submitting() {
        }

        @Advice.OnMethodEnter
        @SuppressWarnings("UnusedVariable")
        static void enter(@Advice.Argument(0) String name, @Advice.Argument(1) StormTopology topology,
                @Advice.Argument(5) Map<String, Object> clientConf,
                @Advice.Argument(value = 6, readOnly = false) String topologyConf, @Advice.Argument(7) NimbusClient nimbus)
                throws InvalidTopologyException {
            topologyConf = SubmissionEntry.submitting(name, clientConf, topology, topologyConf, nimbus);
        }
    }

    /** Before a Supervisor reports its version. */
    static final class VersionReported {
        private VersionReported() {
        }

        @Advice.OnMethodEnter
        @SuppressWarnings("UnusedVariable")
        static void enter(@Advice.Argument(value = 0, readOnly = false) String version) {
            version = SubmissionEntry.supervisorVersion(version);
        }
    }

    /** Before a worker looks at its assignment. */
    static final class Refreshing {
        private Refreshing() {
        }

        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean enter(@Advice.This WorkerState worker) {
            return WovenCalls.isRefreshed(worker);
        }
    }

    /** After a worker found whether it sends to others. */
    static final class SendsToOthers {
        private SendsToOthers() {
        }

        @Advice.OnMethodExit
        @SuppressWarnings("UnusedVariable")
        static void exit(@Advice.This WorkerState worker, @Advice.Return(readOnly = false) boolean sends) {
            sends = WovenCalls.isChangePossible(worker) || sends;
        }
    }

    /** After a worker found whether it is the only one. */
    static final class IsAlone {
        private IsAlone() {
        }

        @Advice.OnMethodExit
        @SuppressWarnings("UnusedVariable")
        static void exit(@Advice.This WorkerState worker, @Advice.Return(readOnly = false) boolean alone) {
            alone = !WovenCalls.isChangePossible(worker) && alone;
        }
    }

    /** After a worker started its executors. */
    static final class Started {
        private Started() {
        }

        @Advice.OnMethodExit
        static void exit(@Advice.FieldValue("workerState") WorkerState worker,
                @Advice.FieldValue("executorsAtom") AtomicReference<List<IRunningExecutor>> executors) {
            WovenCalls.workerStarted(worker, executors);
        }
    }

    /** Before a worker lets a timer flush its executors. */
    static final class Flushed {
        private Flushed() {
        }

        @Advice.OnMethodEnter
        @SuppressWarnings("UnusedVariable")
        static void enter(@Advice.FieldValue("workerState") WorkerState worker,
                @Advice.Argument(value = 1, readOnly = false) List<IRunningExecutor> executors) {
            executors = WovenCalls.flushed(worker, executors);
        }
    }

    /** After upstream masked the passwords that it knows in what it is about to log. */
    static final class Masked {
        private Masked() {
        }

        @Advice.OnMethodExit
        @SuppressWarnings("UnusedVariable")
        static void exit(@Advice.Argument(0) Map<String, Object> conf, @Advice.Return(readOnly = false) Map<String, Object> masked) {
            masked = WovenSecurity.masked(conf);
        }
    }

    /** Before a registry puts the name of a metric together. */
    static final class MetricNamed {
        private MetricNamed() {
        }

        @Advice.OnMethodEnter
        @SuppressWarnings("UnusedVariable")
        static void enter(@Advice.AllArguments(readOnly = false, typing = Assigner.Typing.DYNAMIC) Object[] arguments) {
            arguments = MetricPort.last(arguments);
        }
    }

    /** Before the registry of a worker's metrics starts its reporters. */
    static final class ReportersStarting {
        private ReportersStarting() {
        }

        @Advice.OnMethodEnter
        @SuppressWarnings("UnusedVariable")
        static void enter(@Advice.Argument(value = 1, readOnly = false) int port) {
            port = MetricPort.of(port);
        }
    }

    /** After Nimbus refused an operation that does not declare it. */
    static final class Refused {
        private Refused() {
        }

        @Advice.OnMethodExit(onThrowable = AuthorizationException.class)
        @SuppressWarnings("UnusedVariable")
        static void exit(@Advice.Thrown(readOnly = false) Throwable failure) {
            failure = Refusals.sent(failure);
        }
    }

    /** After a client read that. */
    static final class RefusalRead {
        private RefusalRead() {
        }

        @Advice.OnMethodExit(onThrowable = TApplicationException.class)
        @SuppressWarnings("UnusedVariable")
        static void exit(@Advice.Thrown(readOnly = false) Throwable failure) {
            failure = Refusals.received(failure);
        }
    }
}
