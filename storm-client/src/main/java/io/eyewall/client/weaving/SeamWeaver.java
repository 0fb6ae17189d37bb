package io.eyewall.client.weaving;

import static net.bytebuddy.matcher.ElementMatchers.isBridge;
import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.not;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import io.eyewall.client.seam.AckedTuplesAccess;
import io.eyewall.client.seam.BatchedMessages;
import io.eyewall.client.seam.CheckpointSpoutAccess;
import io.eyewall.client.seam.ClientChannel;
import io.eyewall.client.seam.ClientLoops;
import io.eyewall.client.seam.ConnectionCounters;
import io.eyewall.client.seam.DeadlineHolder;
import io.eyewall.client.seam.ExecutorProbe;
import io.eyewall.client.seam.GroupInsertion;
import io.eyewall.client.seam.OverflowAccess;
import io.eyewall.client.seam.ProbedQueue;
import io.eyewall.client.seam.QueueProbe;
import io.eyewall.client.seam.Stamped;
import io.eyewall.client.seam.StatefulBoltAccess;
import io.eyewall.client.seam.TimestampAccess;
import io.eyewall.client.seam.TransactionAccess;
import io.eyewall.client.seam.TupleWire;
import io.eyewall.client.seam.WorkerStateAccess;
import io.eyewall.client.seam.woven.CapacityHolder;
import io.eyewall.client.seam.woven.ProbeHolder;
import io.eyewall.client.seam.woven.WireHolder;
import io.eyewall.client.seam.woven.WovenCalls;
import io.eyewall.client.seam.woven.WovenDelegates;
import io.eyewall.client.security.BoundedInput;
import io.eyewall.client.security.BoundedRequests;
import io.eyewall.client.security.BoundedSerializers;
import io.eyewall.client.security.CertifiedCallers;
import io.eyewall.client.security.JavaObjects;
import io.eyewall.client.security.SecurityDelegates;
import io.eyewall.client.security.StateConfAccess;
import io.eyewall.client.security.TupleIds;
import io.eyewall.client.security.WovenSecurity;
import io.eyewall.client.stream.instance.MetricPort;
import io.eyewall.client.substitute.CachedCapacity;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;

/** Weaves every seam of the worker. */
public final class SeamWeaver extends Weaver {

    private static final String AUTH = "org.apache.storm.security.auth.";
    private static final String BOLT_COLLECTOR = "org.apache.storm.executor.bolt.BoltOutputCollectorImpl";
    private static final String BOLT_EXECUTOR = "org.apache.storm.executor.bolt.BoltExecutor";
    private static final String BOLT_STATS = "org.apache.storm.stats.BoltExecutorStats";
    private static final String BOOTSTRAP = "org.apache.storm.shade.io.netty.bootstrap.";
    private static final String DESERIALIZER = "org.apache.storm.serialization.KryoTupleDeserializer";
    private static final String EVENT_LOOPS = "org.apache.storm.shade.io.netty.channel.nio.NioEventLoopGroup";
    private static final String CONNECTION_TYPE = AUTH + "ThriftConnectionType";
    private static final String EXECUTOR = "org.apache.storm.executor.Executor";
    private static final String TLS = AUTH + "tls.";
    private static final String NETTY = "org.apache.storm.messaging.netty.";
    private static final String QUEUE = "org.apache.storm.utils.JCQueue";
    private static final String REGISTRY = "org.apache.storm.metrics2.StormMetricRegistry";
    private static final String SERIALIZER = "org.apache.storm.serialization.KryoTupleSerializer";
    private static final String SPOUT_COLLECTOR = "org.apache.storm.executor.spout.SpoutOutputCollectorImpl";
    private static final String SPOUT_EXECUTOR = "org.apache.storm.executor.spout.SpoutExecutor";
    private static final String TASK = "org.apache.storm.daemon.Task";
    private static final String TIMER = "org.apache.storm.StormTimer";
    private static final String TRANSFER = "org.apache.storm.executor.ExecutorTransfer";
    private static final String WORKER = "org.apache.storm.daemon.worker.Worker";
    private static final String WORKER_CONTEXT = "org.apache.storm.task.WorkerTopologyContext";
    private static final String WORKER_STATE = "org.apache.storm.daemon.worker.WorkerState";
    private static final String WORKER_TRANSFER = "org.apache.storm.daemon.worker.WorkerTransfer";

    /** For Byte Buddy's plugin. */
    public SeamWeaver() {
        super(seams());
    }

    private static List<Seam> seams() {
        return Stream.of(workers(), changes(), serialVersions(), network(), tuples(), probes(), security(), requests(), messages(),
            refusals()).flatMap(List::stream).toList();
    }

    /** The seams at which a worker is put together, a topology is submitted and a Supervisor reports its version. */
    private static List<Seam> workers() {
        return List.of(
            Seam.advice("worker-mode", WORKER, named("main"), SeamAdvice.Starting.class),
            Seam.advice("worker-lifetime (open)", WORKER_STATE, named("mkReceiveQueueMap"), SeamAdvice.Open.class),
            Seam.advice("worker-lifetime (close)", WORKER_STATE, named("closeResources"), SeamAdvice.Close.class),
            Seam.construction("receive-queue", WORKER_STATE, named("mkReceiveQueueMap"), QUEUE, woven("receiveQueue")),
            Seam.advice("received-tuple (groups)", WORKER_STATE, named("transferLocalBatch"), SeamAdvice.Received.class),
            Seam.calls("received-tuple (group)", QUEUE, named("tryPublishInternal").and(takesArguments(ArrayList.class)),
                GroupInsertion.class),
            Seam.call("received-tuple (left)", WORKER_STATE, named("transferLocalBatch"), QUEUE, "tryPublish", woven("received")),
            Seam.construction("transfer-queue", WORKER_TRANSFER, isConstructor(), QUEUE, woven("transferQueue")),
            Seam.advice("grouping", "org.apache.storm.daemon.GrouperFactory", named("mkGrouper"), SeamAdvice.GroupingMade.class),
            Seam.advice("task-object", TASK, named("mkTaskObject"), SeamAdvice.TaskObjectMade.class),
            Seam.construction("executor (spout)", EXECUTOR, named("mkExecutor"), SPOUT_EXECUTOR, woven("spoutExecutor")),
            Seam.construction("executor (bolt)", EXECUTOR, named("mkExecutor"), BOLT_EXECUTOR, woven("boltExecutor")),
            Seam.construction("pending-emits", EXECUTOR, isConstructor(), "org.apache.storm.shade.org.jctools.queues.MpscChunkedArrayQueue",
                woven("pendingEmits")),
            Seam.call("executor-loop", EXECUTOR, named("execute"), "org.apache.storm.utils.Utils", "asyncLoop", woven("executorLoop")),
            Seam.constructionByDelegate("pending-messages", SPOUT_EXECUTOR, named("init"), "org.apache.storm.utils.RotatingMap",
                delegate("pendingMessages")),
            Seam.construction("spout-collector", SPOUT_EXECUTOR, named("init"), SPOUT_COLLECTOR, woven("spoutCollector")),
            Seam.construction("bolt-collector", BOLT_EXECUTOR, named("init"), BOLT_COLLECTOR, woven("boltCollector")),
            Seam.accessors("window-time", "org.apache.storm.topology.WindowedBoltExecutor", TimestampAccess.class),
            Seam.construction("worker-transfer", WORKER_STATE, isConstructor(), WORKER_TRANSFER, woven("workerTransfer")),
            Seam.advice("outbound-tasks", WORKER_STATE, named("workerOutboundTasks"), SeamAdvice.OutboundTasksFound.class),
            Seam.construction("received-message", WORKER_STATE, isConstructor(),
                "org.apache.storm.messaging.DeserializingConnectionCallback", woven("receivedMessages")),
            Seam.delegation("receiver", WORKER_STATE, isConstructor(), "org.apache.storm.messaging.IContext", "bind",
                delegate("receiver")),
            Seam.advice("topology-submission", "org.apache.storm.StormSubmitter", named("submitTopologyInDistributeMode"),
                SeamAdvice.Submitting.class),
            Seam.advice("supervisor-version", "org.apache.storm.generated.SupervisorInfo", named("set_version"),
                SeamAdvice.VersionReported.class),
            Seam.advice("metric-port", REGISTRY, named("workerMetricName"), SeamAdvice.MetricNamed.class),
            Seam.call("metric-port (task's)", REGISTRY, named("topologyMetricName"), WORKER_CONTEXT, "getThisWorkerPort",
                Weaver.method(MetricPort.class, "ofWorker")),
            Seam.advice("metric-port (dimension)", REGISTRY, named("start"), SeamAdvice.ReportersStarting.class),
            Seam.call("metric-port (consumers)", EXECUTOR, named("metricsTick"), WORKER_CONTEXT, "getThisWorkerPort",
                Weaver.method(MetricPort.class, "ofWorker")));
    }

    /** What a topology may contain in serialized form, and other seams weave into: each installation reads what the other has written. */
    private static List<Seam> serialVersions() {
        return List.of(
            Seam.serialVersion("serial-versions (checkpoints)", "org.apache.storm.spout.CheckpointSpout", -68497466279128071L),
            Seam.serialVersion("serial-versions (base)", "org.apache.storm.topology.BaseStatefulBoltExecutor", 2400660907527586366L),
            Seam.serialVersion("serial-versions (state)", "org.apache.storm.topology.StatefulBoltExecutor", -6445631638896947452L),
            Seam.serialVersion("serial-versions (serializer)", "org.apache.storm.state.DefaultStateSerializer", 4671172377224604446L),
            Seam.serialVersion("serial-versions (windows)", "org.apache.storm.topology.WindowedBoltExecutor", 2787349253237013276L));
    }

    /** The seams at which the executors of a worker change while it runs. */
    private static List<Seam> changes() {
        return List.of(
            Seam.advice("worker-change (assignment)", WORKER_STATE, named("refreshConnections"), SeamAdvice.Refreshing.class),
            Seam.advice("worker-change (sends)", WORKER_STATE, named("hasRemoteOutboundTasks"), SeamAdvice.SendsToOthers.class),
            Seam.advice("worker-change (alone)", WORKER_STATE, named("isSingleWorker"), SeamAdvice.IsAlone.class),
            Seam.advice("worker-change (started)", WORKER, named("loadWorker"), SeamAdvice.Started.class),
            Seam.advice("worker-change (flushed)", WORKER, named("setupFlushTupleTimer"), SeamAdvice.Flushed.class),
            Seam.delegation("worker-change (status)", WORKER_STATE, named("refreshStormActive").and(takesArguments(1)),
                "org.apache.storm.generated.StormBase", "get_status", delegate("status")),
            Seam.delegation("worker-change (ticks)", EXECUTOR, named("setupTicks"), TIMER, "scheduleRecurring",
                delegate("scheduleTicks")),
            Seam.delegation("worker-change (metric ticks)", EXECUTOR, named("scheduleMetricsTick"), TIMER, "scheduleRecurring",
                delegate("scheduleTicks")),
            Seam.setters("worker-change (collections)", WORKER_STATE, WorkerStateAccess.class,
                List.of("localExecutors", "localTaskIds", "localReceiveQueues", "taskToExecutorQueue", "bpTracker")),
            Seam.accessors("worker-change (checkpoints)", "org.apache.storm.spout.CheckpointSpout", CheckpointSpoutAccess.class),
            Seam.accessors("worker-change (state)", "org.apache.storm.topology.StatefulBoltExecutor", StatefulBoltAccess.class),
            Seam.accessors("worker-change (acked)", "org.apache.storm.topology.StatefulBoltExecutor$AckTrackingOutputCollector",
                AckedTuplesAccess.class),
            Seam.accessors("worker-change (transactions)", "org.apache.storm.topology.BaseStatefulBoltExecutor",
                TransactionAccess.class));
    }

    /** The threads and channels of the Netty transport. */
    private static List<Seam> network() {
        String context = NETTY + "Context";
        String server = NETTY + "Server";
        ElementMatcher<MethodDescription> prepare = named("prepare").and(takesArguments(2));
        return List.of(
            Seam.construction("event-loops (clients)", context, prepare, EVENT_LOOPS, woven("eventLoops")),
            Seam.accessors("event-loops (of clients)", context, ClientLoops.class),
            Seam.construction("event-loops (server)", server, isConstructor(), EVENT_LOOPS, woven("eventLoops")),
            Seam.construction("event-loops (client's channel)", NETTY + "Client", isConstructor(), BOOTSTRAP + "Bootstrap",
                woven("clientBootstrap")),
            Seam.construction("event-loops (server's channel)", server, isConstructor(), BOOTSTRAP + "ServerBootstrap",
                woven("serverBootstrap")),
            Seam.accessors("frames (batches)", NETTY + "MessageBatch", BatchedMessages.class),
            Seam.accessors("event-loops (client's open channel)", NETTY + "Client", ClientChannel.class),
            Seam.accessors("frames (counters)", NETTY + "Client", ConnectionCounters.class));
    }

    /** The seams of tuples, inside a worker and on the way to another one. */
    private static List<Seam> tuples() {
        return List.of(
            Seam.property("tuple-stamp", "org.apache.storm.tuple.TupleImpl", "eyewallStamp", Object.class, Stamped.class),
            Seam.property("tuple-deadline", "org.apache.storm.tuple.TupleImpl", "eyewallDeadlineNs", long.class, DeadlineHolder.class),
            Seam.property("tuple-wire (serializer)", SERIALIZER, "eyewallWire", TupleWire.class, WireHolder.class),
            Seam.advice("tuple-wire (serializer made)", SERIALIZER, isConstructor(), ProbeAdvice.WireMade.class),
            Seam.advice("tuple-wire (writing)", SERIALIZER, named("serialize"), ProbeAdvice.Writing.class),
            Seam.delegation("tuple-wire (written)", SERIALIZER, named("serialize"), "com.esotericsoftware.kryo.io.Output", "toBytes",
                delegate("written")),
            Seam.property("tuple-wire (deserializer)", DESERIALIZER, "eyewallWire", TupleWire.class, WireHolder.class),
            Seam.advice("tuple-wire (deserializer made)", DESERIALIZER, isConstructor(), ProbeAdvice.WireMade.class),
            Seam.advice("tuple-wire (read)", DESERIALIZER, named("deserialize").and(not(isBridge())), ProbeAdvice.Reading.class),
            Seam.call("message-id", DESERIALIZER, named("deserialize").and(not(isBridge())), "org.apache.storm.tuple.MessageId",
                "deserialize", woven("messageId")),
            Seam.advice("message-id (compared)", "org.apache.storm.tuple.MessageId", named("equals"), SeamAdvice.IdsCompared.class),
            Seam.construction("task-metrics", TASK, isConstructor(), "org.apache.storm.metrics2.TaskMetrics", woven("taskMetrics")),
            Seam.construction("outgoing-tasks (list)", TASK, named("getOutgoingTasks").and(takesArguments(2)), "java.util.ArrayList",
                woven("outgoingTasks")),
            Seam.call("outgoing-tasks (added)", TASK, named("getOutgoingTasks").and(takesArguments(2)), "java.util.ArrayList", "addAll",
                woven("addTasks")),
            Seam.call("serializer-of-thread", TRANSFER, isConstructor(), "java.lang.ThreadLocal", "withInitial",
                woven("serializerOfThread")),
            Seam.call("noted-for-flush", TRANSFER, named("tryTransferLocal"), "java.util.concurrent.atomic.AtomicReferenceArray", "set",
                woven("noteForFlush")),
            Seam.accessors("overflow-order (list)", QUEUE, OverflowAccess.class),
            Seam.delegation("overflow-order", QUEUE, named("consumeImpl"), "java.util.AbstractCollection", "size", delegate("overflowDue")),
            Seam.advice("whole-flush", QUEUE + "$BatchInserter", named("flush"), SeamAdvice.Flushing.class),
            Seam.property("capacity", BOLT_STATS, "eyewallCapacity", CachedCapacity.class, CapacityHolder.class),
            Seam.advice("capacity (worked out)", BOLT_STATS, named("calculateCapacity"), SeamAdvice.CapacityWorkedOut.class));
    }

    /** The seams of probes. */
    private static List<Seam> probes() {
        return List.of(
            Seam.property("queue-probe", QUEUE, "eyewallProbe", QueueProbe.class, ProbedQueue.class),
            Seam.advice("queue-probe (inserting)", QUEUE, named("tryPublishInternal").and(takesArguments(Object.class)),
                ProbeAdvice.Inserting.class),
            Seam.advice("queue-probe (inserting all)", QUEUE, named("tryPublishInternal").and(takesArguments(ArrayList.class)),
                ProbeAdvice.InsertingAll.class),
            Seam.advice("queue-probe (overflowing)", QUEUE, named("tryPublishToOverflow"), ProbeAdvice.Overflowing.class),
            Seam.advice("queue-probe (taken)", WORKER_TRANSFER, named("accept"), ProbeAdvice.Taken.class),
            Seam.property("executor-probe", EXECUTOR, "eyewallProbe", ExecutorProbe.class, ProbeHolder.class),
            Seam.property("executor-probe (transfer)", TRANSFER, "eyewallProbe", ExecutorProbe.class, ProbeHolder.class),
            Seam.advice("executor-probe (made)", EXECUTOR, isConstructor(), ProbeAdvice.ExecutorMade.class),
            Seam.advice("executor-probe (local mode)", EXECUTOR, named("setLocalExecutorTransfer"), ProbeAdvice.TransferReplaced.class),
            Seam.advice("executor-probe (root emitting)", SPOUT_COLLECTOR, named("sendSpoutMsg"), ProbeAdvice.RootEmitting.class),
            Seam.advice("executor-probe (anchoring)", BOLT_COLLECTOR, named("boltEmit"), ProbeAdvice.Anchoring.class),
            Seam.advice("executor-probe (emitting)", TRANSFER, named("tryTransfer"), ProbeAdvice.Emitting.class),
            Seam.advice("executor-probe (executing)", BOLT_EXECUTOR, named("tupleActionFn"), ProbeAdvice.Executing.class),
            Seam.advice("executor-probe (acking)", BOLT_COLLECTOR, named("ack"), ProbeAdvice.Acking.class),
            Seam.advice("executor-probe (completed)", SPOUT_EXECUTOR, named("ackSpoutMsg"), ProbeAdvice.Completed.class),
            Seam.advice("executor-probe (failed)", SPOUT_EXECUTOR, named("failSpoutMsg"), ProbeAdvice.Failed.class));
    }

    /** What closes upstream's vulnerabilities. */
    private static List<Seam> security() {
        String uploader = "org.apache.storm.dependency.DependencyUploader";
        String serializer = "org.apache.storm.state.DefaultStateSerializer";
        return List.of(
            Seam.delegation("nimbus-groups", AUTH + "authorizer.SimpleACLAuthorizer", named("permit"),
                "java.util.Set", "size", secure("usersAndGroups")),
            Seam.advice("redaction (logged)", "org.apache.storm.utils.ConfigUtils", named("maskPasswords"), SeamAdvice.Masked.class),
            Seam.call("redaction (submitting)", "org.apache.storm.StormSubmitter", named("submitTopologyInDistributeMode"),
                "org.slf4j.Logger", "info", Weaver.method(WovenSecurity.class, "info")),
            Seam.call("redaction (made by a client)", "org.apache.storm.StormSubmitter", named("prepareZookeeperAuthentication"),
                "org.slf4j.Logger", "info", Weaver.method(WovenSecurity.class, "generated")),
            Seam.call("redaction (secret of workers)", NETTY + "SaslStormServerHandler", named("getSASLCredentials"),
                "org.slf4j.Logger", "debug", Weaver.method(WovenSecurity.class, "debug")),
            Seam.constructionByDelegate("message-decoder (accepted)", NETTY + "StormServerPipelineFactory", named("initChannel"),
                NETTY + "MessageDecoder", secure("acceptingDecoder")),
            Seam.constructionByDelegate("message-decoder (connected)", NETTY + "StormClientPipelineFactory", named("initChannel"),
                NETTY + "MessageDecoder", secure("connectingDecoder")),
            Seam.call("message-decoder (refused)", NETTY + "SaslNettyServer", named("response"), "org.slf4j.Logger", "error",
                Weaver.method(WovenSecurity.class, "refused")),
            Seam.advice("message-decoder (failed)", NETTY + "StormServerHandler", named("exceptionCaught"),
                SeamAdvice.ConnectionFailed.class),
            Seam.advice("malformed-acks", "org.apache.storm.daemon.Acker", named("execute"), SeamAdvice.AckExecuted.class),
            Seam.construction("tuple-ids", EXECUTOR, isConstructor(), "java.util.Random", Weaver.method(TupleIds.class, "of")),
            Seam.delegation("server-name", AUTH + "ThriftClient", named("reconnect"),
                "org.apache.storm.thrift.transport.TSSLTransportFactory", "getClientSocket", secure("clientSocket")),
            Seam.advice("client-certificate", TLS + "TlsTransportPlugin$TTlsWrapProcessor", named("process"),
                SeamAdvice.CalledOverTls.class),
            Seam.advice("client-certificate (required)", TLS + "ReloadableTsslTransportFactory", named("createServerSocket"),
                SeamAdvice.TlsSocketMade.class),
            Seam.advice("client-certificate (transport)", CONNECTION_TYPE, named("getTransportPlugin"),
                SeamAdvice.TransportChosen.class),
            Seam.call("client-certificate (unless said otherwise)", CONNECTION_TYPE, named("isClientAuthRequired"),
                "org.apache.storm.utils.ObjectReader", "getBoolean", Weaver.method(CertifiedCallers.class, "isRequired")),
            Seam.delegation("worker-name", NETTY + "StormClientPipelineFactory", named("initChannel"),
                "org.apache.storm.shade.io.netty.handler.ssl.SslContext", "newHandler", secure("workerTls")),
            Seam.call("hidden-nodes", "org.apache.storm.zookeeper.ClientZookeeper", named("mkdirsImpl"),
                "org.apache.storm.zookeeper.ClientZookeeper", "existsNode", Weaver.method(WovenSecurity.class, "exists")),
            Seam.constructionByDelegate("server-frames", AUTH + "SimpleTransportPlugin", named("getServer"),
                "org.apache.storm.thrift.transport.TNonblockingServerSocket", secure("serverSocket")),
            Seam.delegation("scheduler-strategy", "org.apache.storm.utils.ReflectionUtils", named("newSchedulerStrategyInstance"),
                "java.util.Map", "get", secure("allowedStrategies")),
            Seam.call("dependency-key", uploader, named("uploadArtifacts"), "org.apache.storm.dependency.DependencyBlobStoreUtils",
                "generateDependencyBlobKey", Weaver.method(WovenSecurity.class, "dependencyKey")),
            Seam.accessors("state-classes (configuration)", serializer, StateConfAccess.class),
            Seam.constructionByDelegate("state-classes", serializer + "$1", named("initialValue"), "com.esotericsoftware.kryo.Kryo",
                secure("stateKryo")));
    }

    /** How much a request to a Thrift server may ask for. */
    private static List<Seam> requests() {
        String thrift = "org.apache.storm.thrift.";
        String protocols = thrift + "protocol.TBinaryProtocol$Factory";
        List<Seam> seams = new ArrayList<>();
        seams.add(Seam.construction("server-requests (frames)", AUTH + "SimpleTransportPlugin", named("getServer"), protocols,
            Weaver.method(BoundedRequests.class, "framedProtocols")));
        for (String blocking : List.of(AUTH + "sasl.SaslTransportPlugin", TLS + "TlsTransportPlugin")) {
            seams.add(Seam.construction("server-requests (lengths, " + blocking + ")", blocking, named("getServer"), protocols,
                Weaver.method(BoundedRequests.class, "protocols")));
            seams.add(Seam.constructionByDelegate("server-requests (bytes, " + blocking + ")", blocking, named("getServer"),
                thrift + "server.TThreadPoolServer$Args", secure("serverArguments")));
        }
        for (String sasl : List.of("digest.DigestSasl", "kerberos.KerberosSasl", "plain.PlainSasl")) {
            seams.add(Seam.construction("server-requests (" + sasl + ")", AUTH + sasl + "TransportPlugin",
                named("getServerTransportFactory"), thrift + "transport.TSaslServerTransport$Factory",
                Weaver.method(BoundedRequests.class, "saslTransports")));
        }
        return seams;
    }

    /** How much of what is read a message may ask for, and which classes of Java's serialization. */
    private static List<Seam> messages() {
        String serialization = "org.apache.storm.serialization.";
        ElementMatcher.Junction<MethodDescription> create = named("create").and(not(isBridge()));
        return List.of(
            Seam.construction("message-lengths (tuple)", DESERIALIZER, isConstructor(),
                "com.esotericsoftware.kryo.io.Input", Weaver.method(BoundedInput.class, "of")),
            Seam.construction("message-lengths (values)", serialization + "KryoValuesDeserializer", isConstructor(),
                "com.esotericsoftware.kryo.io.Input", Weaver.method(BoundedInput.class, "of")),
            Seam.advice("message-lengths (tuple's values)", serialization + "types.ListDelegateSerializer", create,
                SeamAdvice.Sized.class),
            Seam.advice("message-lengths (lists)", serialization + "types.ArrayListSerializer", create, SeamAdvice.Sized.class),
            Seam.advice("message-lengths (maps)", serialization + "types.HashMapSerializer", create, SeamAdvice.Sized.class),
            Seam.advice("message-lengths (sets)", serialization + "types.HashSetSerializer", create, SeamAdvice.Sized.class),
            Seam.call("message-lengths (Storm's classes)", serialization + "SerializationFactory", named("getKryo"),
                "com.esotericsoftware.kryo.Kryo", "register", Weaver.method(BoundedSerializers.class, "register")),
            Seam.call("message-lengths (users' classes)", serialization + "SerializationFactory", named("register").and(takesArguments(4)),
                "com.esotericsoftware.kryo.Kryo", "register", Weaver.method(BoundedSerializers.class, "register")),
            Seam.construction("java-objects", "org.apache.storm.serialization.SerializableSerializer", named("read"),
                "java.io.ObjectInputStream", Weaver.method(JavaObjects.class, "stream")),
            Seam.call("java-objects (length)", "org.apache.storm.serialization.SerializableSerializer", named("read"),
                "com.esotericsoftware.kryo.io.Input", "readInt", Weaver.method(JavaObjects.class, "lengthBytes")));
    }

    /** Where Nimbus refuses an operation that declares no exception for it. */
    private static List<Seam> refusals() {
        String nimbus = "org.apache.storm.generated.Nimbus$";
        List<Seam> seams = new ArrayList<>();
        for (String operation : List.of("createStateInZookeeper", "getComponentPendingProfileActions", "getLogConfig",
                "processWorkerMetrics", "setLogConfig", "setWorkerProfiler")) {
            seams.add(Seam.advice("refusals (" + operation + ")", nimbus + "Processor$" + operation,
                named("getResult").and(not(isBridge())), SeamAdvice.Refused.class));
            seams.add(Seam.advice("refusals (read, " + operation + ")", nimbus + "Client", named("recv_" + operation),
                SeamAdvice.RefusalRead.class));
        }
        return seams;
    }

    private static Method secure(String name) {
        return Weaver.method(SecurityDelegates.class, name);
    }

    private static Method woven(String name) {
        return Weaver.method(WovenCalls.class, name);
    }

    private static Method delegate(String name) {
        return Weaver.method(WovenDelegates.class, name);
    }
}
