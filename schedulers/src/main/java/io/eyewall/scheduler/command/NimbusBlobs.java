package io.eyewall.scheduler.command;

import io.eyewall.client.blob.SmallBlob;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.storm.generated.KeyNotFoundException;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.apache.storm.thrift.TException;

/** {@link SchedulerClient} over Nimbus's Thrift interface. Not thread-safe. */
final class NimbusBlobs implements SchedulerClient {

    private final Nimbus.Iface nimbus;

    NimbusBlobs(Nimbus.Iface nimbus) {
        this.nimbus = nimbus;
    }

    @Override
    public SchedulerInfo scheduler() throws TException {
        Map<?, ?> conf = (Map<?, ?>) JSONValue.parse(nimbus.getNimbusConf());
        Object scheduler = conf.get("storm.scheduler");
        return new SchedulerInfo(scheduler == null ? "" : scheduler.toString(), ((Number) conf.get("nimbus.monitor.freq.secs")).intValue());
    }

    @Override
    public Map<String, String> supervisors() throws TException {
        Map<String, String> hosts = new TreeMap<>();
        nimbus.getClusterInfo().get_supervisors().forEach(one -> hosts.put(one.get_supervisor_id(), one.get_host()));
        return hosts;
    }

    @Override
    public void checkAlive(String topologyName) throws TException {
        nimbus.getTopologySummaryByName(topologyName);
    }

    @Override
    public void rebalance(String topologyName, RebalanceOptions options) throws TException {
        nimbus.rebalance(topologyName, options);
    }

    @Override
    public void create(String key, byte[] contents) throws TException {
        String session = nimbus.beginCreateBlob(key, new SettableBlobMeta(new ArrayList<>()));
        nimbus.uploadBlobChunk(session, ByteBuffer.wrap(contents));
        nimbus.finishBlobUpload(session);
    }

    @Override
    public Optional<byte[]> read(String key) throws TException {
        return SmallBlob.read(nimbus, key);
    }

    @Override
    public void delete(String key) throws TException {
        try {
            nimbus.deleteBlob(key);
        } catch (KeyNotFoundException alreadyGone) {
            return;
        }
    }
}
