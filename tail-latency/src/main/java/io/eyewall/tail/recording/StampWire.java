package io.eyewall.tail.recording;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.eyewall.client.seam.Stamped;
import io.eyewall.client.seam.TupleWire;
import io.eyewall.client.time.NanoClock;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.tuple.Tuple;

/**
 * Takes stamps from worker to worker. Behind the own bytes of a recorded tuple it writes the fields of {@link StampTrailer}, and behind
 * those of another tuple a single byte. Used by the one thread that uses its serializer or deserializer.
 */
final class StampWire implements TupleWire {

    private final NanoClock clock;
    private final HopRecorders recorders;
    private final WorkerClocks peers;
    private final ByStream<HopRecorder> serialize;
    private final ByStream<HopRecorder> deserialize;
    private final Map<String, HopRecorder> networkByPeer = new HashMap<>();

    private long sinceNs;

    StampWire(NanoClock clock, HopRecorders recorders, WorkerClocks peers) {
        this.clock = clock;
        this.recorders = recorders;
        this.peers = peers;
        serialize = new ByStream<>((taskId, component, stream) -> recorders.recorder(
            new HopKey(MeasuringPoint.SERIALIZE, component, taskId, HopKey.source(component, stream))));
        deserialize = new ByStream<>((taskId, component, stream) -> recorders.recorder(
            HopKey.ofWorker(MeasuringPoint.DESERIALIZE, HopKey.source(component, stream))));
    }

    @Override
    public void writing(Tuple tuple) {
        if (LatencyStamp.of(tuple) != null) {
            sinceNs = clock.nanoTime();
        }
    }

    @Override
    public void written(Tuple tuple, Output output) {
        LatencyStamp stamp = LatencyStamp.of(tuple);
        if (stamp == null) {
            StampTrailer.writeNone(output);
            return;
        }
        long nowNs = clock.nanoTime();
        if (!stamp.serialized) {
            stamp.serialized = true;
            serialize.of(tuple.getSourceTask(), tuple.getSourceComponent(), tuple.getSourceStreamId()).record(nowNs - sinceNs);
        }
        StampTrailer.write(stamp, nowNs, output);
    }

    @Override
    public void reading(byte[] bytes, int lengthBytes) {
        if (StampTrailer.ends(bytes, lengthBytes)) {
            sinceNs = clock.nanoTime();
        }
    }

    @Override
    public void read(Tuple tuple, Input input) {
        if (!(tuple instanceof Stamped stamped) || !StampTrailer.isNext(input)) {
            return;
        }
        WorkerClock peer = peers.ofTask(tuple.getSourceTask());
        long sentNs = StampTrailer.sentNs(input) - peer.offsetNs();
        LatencyStamp stamp = StampTrailer.read(input, peer);
        stamp.arrivedNs = clock.nanoTime();
        stamped.setEyewallStamp(stamp);
        network(peer).record(sinceNs - sentNs, peer.errorBoundNs());
        deserialize.of(HopKey.NO_TASK, tuple.getSourceComponent(), tuple.getSourceStreamId()).record(stamp.arrivedNs - sinceNs);
    }

    private HopRecorder network(WorkerClock peer) {
        HopRecorder network = networkByPeer.get(peer.peer());
        if (network == null) {
            network = recorders.recorder(HopKey.ofWorker(MeasuringPoint.NETWORK, peer.peer()));
            networkByPeer.put(peer.peer(), network);
        }
        return network;
    }
}
