package io.eyewall.client.acking;

import io.eyewall.client.acking.AckHistory.Event;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.storm.Constants;
import org.apache.storm.daemon.Acker;
import org.apache.storm.executor.TupleInfo;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.task.IOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.utils.RotatingMap;

/** Upstream's acker, and what a spout executor of upstream's makes of the messages from it. */
final class UpstreamAcking implements IOutputCollector {

    private static final int SPOUT_BUCKETS = 2;

    private final GeneralTopologyContext context =
        new GeneralTopologyContext(new StormTopology(), Map.of("storm.cluster.mode", "distributed"), Map.of(), Map.of(), Map.of(), "test");
    private final int spoutTask;
    private final Acker acker = new Acker();
    private final List<String> outcomes = new ArrayList<>();
    private final RotatingMap<Long, TupleInfo> pending =
        new RotatingMap<>(SPOUT_BUCKETS, (root, message) -> outcomes.add("timed out " + root));

    UpstreamAcking(int spoutTask) {
        this.spoutTask = spoutTask;
        acker.prepare(Map.of(), null, new OutputCollector(this));
    }

    static TupleInfo message(long root, int spoutTask) {
        TupleInfo message = new TupleInfo();
        message.setRootId(root);
        message.setTaskId(spoutTask);
        message.setMessageId(root);
        return message;
    }

    void hear(Event event) {
        switch (event.kind()) {
            case EMIT -> {
                pending.put(event.root(), message(event.root(), spoutTask));
                execute("spout", Acker.ACKER_INIT_STREAM_ID, event.root(), event.value(), spoutTask);
            }
            case ACK -> execute("bolt", Acker.ACKER_ACK_STREAM_ID, event.root(), event.value());
            case FAIL -> execute("bolt", Acker.ACKER_FAIL_STREAM_ID, event.root());
            case RESET_TIMEOUT -> execute("bolt", Acker.ACKER_RESET_TIMEOUT_STREAM_ID, event.root());
            default -> throw new IllegalStateException(event.toString());
        }
    }

    /** The timeout passes once, for the acker and for the spout. */
    void tick() {
        execute(Constants.SYSTEM_COMPONENT_ID, Constants.SYSTEM_TICK_STREAM_ID, 1L);
        pending.rotate();
    }

    List<String> takeOutcomes() {
        List<String> taken = List.copyOf(outcomes);
        outcomes.clear();
        return taken;
    }

    @Override
    public void emitDirect(int task, String stream, Collection<Tuple> anchors, List<Object> values) {
        Long root = (Long) values.get(0);
        if (stream.equals(Acker.ACKER_RESET_TIMEOUT_STREAM_ID)) {
            TupleInfo message = pending.get(root);
            if (message != null) {
                pending.put(root, message);
            }
        } else if (pending.remove(root) != null) {
            outcomes.add((stream.equals(Acker.ACKER_ACK_STREAM_ID) ? "acked " : "failed ") + root);
        }
    }

    @Override
    public List<Integer> emit(String stream, Collection<Tuple> anchors, List<Object> values) {
        throw new UnsupportedOperationException("An acker emits to one task.");
    }

    @Override
    public void ack(Tuple input) {
        // What an acker executes is in no tree.
    }

    @Override
    public void fail(Tuple input) {
        throw new UnsupportedOperationException("An acker fails nothing.");
    }

    @Override
    public void resetTimeout(Tuple input) {
        throw new UnsupportedOperationException("An acker takes no time.");
    }

    @Override
    public void flush() {
        // Nothing waits here.
    }

    @Override
    public void reportError(Throwable error) {
        throw new IllegalStateException(error);
    }

    private void execute(String component, String stream, Object... values) {
        acker.execute(new TupleImpl(context, List.of(values), component, 1, stream));
    }
}
