package io.eyewall.client.seam.woven;

import com.esotericsoftware.kryo.io.Output;
import io.eyewall.client.engine.WakingQueue;
import io.eyewall.client.seam.PendingMessageMaps;
import io.eyewall.client.seam.Receivers;
import io.eyewall.client.seam.TupleWire;
import io.eyewall.client.seam.WorkerStateAccess;
import java.util.Queue;
import net.bytebuddy.asm.MemberSubstitution;
import org.apache.storm.StormTimer;
import org.apache.storm.daemon.worker.WorkerState;
import org.apache.storm.executor.Executor;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.executor.spout.SpoutExecutor;
import org.apache.storm.generated.StormBase;
import org.apache.storm.generated.TopologyStatus;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IConnectionCallback;
import org.apache.storm.messaging.IContext;
import org.apache.storm.serialization.KryoTupleSerializer;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.JCQueue;
import org.apache.storm.utils.RotatingMap;

/**
 * Woven calls that need more arguments than the call that they replace; not for use by features. They are in a class of their own because
 * the annotations, which only the weaver reads, are not on a worker's class path.
 */
public final class WovenDelegates {

    private WovenDelegates() {
    }

    /** In place of {@code new RotatingMap(..)} in {@code SpoutExecutor.init}. */
    public static RotatingMap<Long, TupleInfo> pendingMessages(
            @MemberSubstitution.This(source = MemberSubstitution.Source.ENCLOSING_METHOD) SpoutExecutor executor,
            @MemberSubstitution.Argument(0) int buckets,
            @MemberSubstitution.Argument(1) RotatingMap.ExpiredCallback<Long, TupleInfo> expired) {
        return SeamEntry.of(executor.getWorkerData()).pendingMessages().messages(
            new PendingMessageMaps.Request(executor, buckets, expired));
    }

    /** In place of {@code MpscUnboundedArrayQueue.size()} in {@code JCQueue.consumeImpl}, after which so many elements are taken. */
    public static int overflowDue(
            @MemberSubstitution.This(source = MemberSubstitution.Source.SUBSTITUTED_ELEMENT) Queue<?> overflowed,
            @MemberSubstitution.This(source = MemberSubstitution.Source.ENCLOSING_METHOD) JCQueue queue) {
        return queue instanceof WakingQueue waking ? waking.overflowDue(overflowed.size()) : overflowed.size();
    }

    /** In place of {@code Output.toBytes()} in {@code KryoTupleSerializer.serialize}. */
    public static byte[] written(@MemberSubstitution.This(source = MemberSubstitution.Source.SUBSTITUTED_ELEMENT) Output output,
            @MemberSubstitution.This(source = MemberSubstitution.Source.ENCLOSING_METHOD) KryoTupleSerializer serializer,
            @MemberSubstitution.Argument(value = 0, source = MemberSubstitution.Source.ENCLOSING_METHOD) Tuple tuple) {
        TupleWire wire = ((WireHolder) serializer).getEyewallWire();
        if (wire != null) {
            wire.written(tuple, output);
        }
        return output.toBytes();
    }

    /** In place of {@code StormTimer.scheduleRecurring(..)} in {@code Executor.setupTicks} and {@code scheduleMetricsTick}. */
    public static void scheduleTicks(@MemberSubstitution.This(source = MemberSubstitution.Source.SUBSTITUTED_ELEMENT) StormTimer timer,
            @MemberSubstitution.Argument(0) int delaySecs, @MemberSubstitution.Argument(1) int everySecs,
            @MemberSubstitution.Argument(2) Runnable tick,
            @MemberSubstitution.This(source = MemberSubstitution.Source.ENCLOSING_METHOD) Executor executor) {
        SeamEntry.of(executor.getWorkerData()).workerChange().scheduleTicks(executor, timer, delaySecs, everySecs, tick);
    }

    /** In place of {@code StormBase.get_status()} in {@code WorkerState.refreshStormActive(Runnable)}. */
    public static TopologyStatus status(@MemberSubstitution.This(source = MemberSubstitution.Source.SUBSTITUTED_ELEMENT) StormBase topology,
            @MemberSubstitution.This(source = MemberSubstitution.Source.ENCLOSING_METHOD) WorkerState worker) {
        return SeamEntry.of(worker).workerChange().status(topology);
    }

    /** In place of {@code IContext.bind(..)} in the constructor of {@code WorkerState}, which would log each first status. */
    public static IConnection receiver(@MemberSubstitution.This(source = MemberSubstitution.Source.SUBSTITUTED_ELEMENT) IContext context,
            @MemberSubstitution.Argument(0) String topologyId, @MemberSubstitution.Argument(1) int port,
            @MemberSubstitution.Argument(2) IConnectionCallback received,
            @MemberSubstitution.This(source = MemberSubstitution.Source.ENCLOSING_METHOD) WorkerState worker) {
        WorkerStateAccess parts = (WorkerStateAccess) worker;
        return SeamEntry.of(topologyId, port).receivers().receiver(new Receivers.Request(context, topologyId, port, received,
            () -> parts.getBpTracker().getCurrStatus()));
    }
}
