package io.eyewall.tail.recording;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.eyewall.client.seam.Stamped;
import io.eyewall.client.seam.TupleWire;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.tuple.Tuple;

/**
 * Takes stamps from worker to worker. Behind each tuple's own bytes stand, for a recorded tuple, the fields of {@link StampTrailer}, and
 * for another one a single byte. Used by the one thread that uses its serializer or deserializer.
 */
final class StampWire implements TupleWire {

    private final NanoClock clock;
    private final HopRecorders recorders;
    private final PeerClocks peers;
    private final StreamRecorders overflow;
    private final StreamRecorders serialize;
    private final StreamRecorders deserialize;
    private final Map<String, HopRecorder> networkByPeer = new HashMap<>();

    private long sinceNs;

    StampWire(NanoClock clock, HopRecorders recorders, PeerClocks peers) {
        this.clock = clock;
        this.recorders = recorders;
        this.peers = peers;
        overflow = StreamRecorders.ofTasks(recorders, Point.OVERFLOW);
        serialize = StreamRecorders.ofTasks(recorders, Point.SERIALIZE);
        deserialize = StreamRecorders.ofWorker(recorders, Point.DESERIALIZE);
    }

    @Override
    public void writing(Tuple tuple) {
        if (tuple instanceof Stamped stamped && stamped.getEyewallStamp() instanceof LatencyStamp) {
            sinceNs = clock.nanoTime();
        }
    }

    @Override
    public void written(Tuple tuple, Output output) {
        if (tuple instanceof Stamped stamped && stamped.getEyewallStamp() instanceof LatencyStamp stamp) {
            long nowNs = clock.nanoTime();
            of(serialize, tuple).record(nowNs - sinceNs);
            if (stamp.offeredAgainNs != 0) {
                of(overflow, tuple).record(stamp.offeredAgainNs - stamp.emittedNs);
            }
            StampTrailer.write(stamp, nowNs, output);
        } else {
            StampTrailer.writeNone(output);
        }
    }

    @Override
    public void reading(byte[] bytes) {
        if (StampTrailer.mayEnd(bytes)) {
            sinceNs = clock.nanoTime();
        }
    }

    @Override
    public void read(Tuple tuple, Input input) {
        if (!(tuple instanceof Stamped stamped) || !StampTrailer.isNext(input)) {
            return;
        }
        PeerClock peer = peers.ofTask(tuple.getSourceTask());
        long sentNs = StampTrailer.sentNs(input) - peer.offsetNs();
        LatencyStamp stamp = StampTrailer.read(input, peer);
        stamped.setEyewallStamp(stamp);
        networkByPeer.computeIfAbsent(peer.peer(), this::networkRecorder).record(sinceNs - sentNs, peer.errorBoundNs());
        of(deserialize, tuple).record(clock.nanoTime() - sinceNs);
    }

    private HopRecorder networkRecorder(String peer) {
        return recorders.recorder(new HopKey(Point.NETWORK, HopKey.WORKER, HopKey.NO_TASK, peer));
    }

    private static HopRecorder of(StreamRecorders streams, Tuple tuple) {
        return streams.of(tuple.getSourceTask(), tuple.getSourceComponent(), tuple.getSourceStreamId());
    }
}
