package io.eyewall.core.security;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import net.bytebuddy.asm.MemberSubstitution;
import org.apache.storm.daemon.drpc.OutstandingRequest;

/** What upstream's {@code DRPC} calls, by weaving, where it uses the queues of its functions. */
public final class DrpcDelegates {

    private static final String QUEUES = "queues";

    private DrpcDelegates() {
    }

    /** In place of {@code getQueue}. */
    public static ConcurrentLinkedQueue<OutstandingRequest> queue(@MemberSubstitution.Argument(0) String function,
            @MemberSubstitution.FieldValue(QUEUES) ConcurrentHashMap<String, ConcurrentLinkedQueue<OutstandingRequest>> queues) {
        return FunctionQueues.queue(queues, function);
    }

    /** In place of {@code ConcurrentLinkedQueue.add}. */
    public static boolean add(@MemberSubstitution.Argument(0) Object request,
            @MemberSubstitution.FieldValue(QUEUES) ConcurrentHashMap<String, ConcurrentLinkedQueue<OutstandingRequest>> queues) {
        return FunctionQueues.add(queues, (OutstandingRequest) request);
    }

    /** In place of {@code ConcurrentLinkedQueue.poll}. */
    public static Object poll(@MemberSubstitution.Argument(value = 0, source = MemberSubstitution.Source.ENCLOSING_METHOD) String function,
            @MemberSubstitution.FieldValue(QUEUES) ConcurrentHashMap<String, ConcurrentLinkedQueue<OutstandingRequest>> queues) {
        return FunctionQueues.poll(queues, function);
    }

    /** In place of {@code ConcurrentLinkedQueue.remove(Object)}, whose queue may be gone. */
    public static boolean remove(@MemberSubstitution.Argument(0) Object request,
            @MemberSubstitution.FieldValue(QUEUES) ConcurrentHashMap<String, ConcurrentLinkedQueue<OutstandingRequest>> queues) {
        return FunctionQueues.remove(queues, (OutstandingRequest) request);
    }
}
