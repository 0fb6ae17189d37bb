package io.eyewall.scheduler.command;

import io.eyewall.scheduler.scaling.ScalingEvent;
import io.eyewall.scheduler.scaling.ScalingRecord;
import io.eyewall.scheduler.scaling.ScalingResponse;
import java.util.List;
import java.util.Optional;
import org.apache.storm.generated.KeyNotFoundException;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.thrift.TException;

/** Requests, responses and the log as blobs. Not thread-safe. */
final class NimbusScalingClient implements ScalingClient {

    private final SchedulerClient client;

    NimbusScalingClient(SchedulerClient client) {
        this.client = client;
    }

    @Override
    public SchedulerClient.SchedulerInfo scheduler() throws TException {
        return client.scheduler();
    }

    @Override
    public void checkAlive(String topologyName) throws TException {
        client.checkAlive(topologyName);
    }

    @Override
    public void submit(ScalingRecord record) throws TException {
        client.create(record.key(), record.toBytes());
    }

    @Override
    public Optional<ScalingResponse> findResponse(ScalingRecord record) throws TException {
        return ScalingRecord.of(client.read(record.key()).orElseThrow(() -> new KeyNotFoundException(record.key()))).findResponse();
    }

    @Override
    public void withdraw(ScalingRecord record) throws TException {
        client.delete(record.key());
    }

    @Override
    public void rebalance(String topologyName, RebalanceOptions options) throws TException {
        client.rebalance(topologyName, options);
    }

    @Override
    public List<ScalingEvent> log() throws TException {
        return client.read(ScalingRecord.LOG_KEY).map(ScalingRecord::logEvents).orElse(List.of());
    }
}
