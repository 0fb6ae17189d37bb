package io.eyewall.scheduler.command;

import io.eyewall.scheduler.scaling.ScalingEvent;
import io.eyewall.scheduler.scaling.ScalingRecord;
import io.eyewall.scheduler.scaling.ScalingResponse;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.storm.generated.BeginDownloadResult;
import org.apache.storm.generated.KeyNotFoundException;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.thrift.TException;

/** Talks to a cluster through Nimbus's Thrift interface: requests, responses and the log are blobs. Not thread-safe. */
final class NimbusScalingClient implements ScalingClient {

    private final Nimbus.Iface nimbus;

    NimbusScalingClient(Nimbus.Iface nimbus) {
        this.nimbus = nimbus;
    }

    @Override
    public SchedulerInfo scheduler() throws TException {
        Map<?, ?> conf = (Map<?, ?>) JSONValue.parse(nimbus.getNimbusConf());
        Object scheduler = conf.get("storm.scheduler");
        return new SchedulerInfo(scheduler == null ? "" : scheduler.toString(), ((Number) conf.get("nimbus.monitor.freq.secs")).intValue());
    }

    @Override
    public void checkAlive(String topologyName) throws TException {
        nimbus.getTopologySummaryByName(topologyName);
    }

    @Override
    public void submit(ScalingRecord record) throws TException {
        String session = nimbus.beginCreateBlob(record.key(), new SettableBlobMeta(new ArrayList<>()));
        nimbus.uploadBlobChunk(session, ByteBuffer.wrap(record.toBytes()));
        nimbus.finishBlobUpload(session);
    }

    @Override
    public Optional<ScalingResponse> findResponse(ScalingRecord record) throws TException {
        return ScalingRecord.of(read(record.key())).findResponse();
    }

    @Override
    public void withdraw(ScalingRecord record) throws TException {
        try {
            nimbus.deleteBlob(record.key());
        } catch (KeyNotFoundException alreadyGone) {
            return;
        }
    }

    @Override
    public void rebalance(String topologyName, RebalanceOptions options) throws TException {
        nimbus.rebalance(topologyName, options);
    }

    @Override
    public List<ScalingEvent> log() throws TException {
        try {
            return ScalingRecord.logEvents(read(ScalingRecord.LOG_KEY));
        } catch (KeyNotFoundException noneYet) {
            return List.of();
        }
    }

    private byte[] read(String key) throws TException {
        BeginDownloadResult download = nimbus.beginBlobDownload(key);
        ByteBuffer contents = ByteBuffer.allocate((int) download.get_data_size());
        while (contents.hasRemaining()) {
            ByteBuffer chunk = nimbus.downloadBlobChunk(download.get_session());
            if (!chunk.hasRemaining()) {
                break;
            }
            contents.put(chunk);
        }
        return contents.array();
    }
}
