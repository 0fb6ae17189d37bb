package io.eyewall.examples.operator;

import io.eyewall.examples.configuration.ExampleConfiguration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * Replaces the advertisement of an event by its campaign, which it looks up in Redis: receives {@code adId, eventMs, dueNs} and emits
 * {@code campaign, eventMs, dueNs}. Writes the campaigns to Redis when it starts, and again if the server has lost them. While the server
 * cannot be reached, messages fail.
 */
public final class CampaignJoinBolt extends BaseRichBolt {

    private transient OutputCollector collector;
    private transient Advertisements advertisements;
    private transient CampaignStore store;

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields("campaign", "eventMs", MessageSource.DUE_NS));
    }

    @Override
    public void prepare(Map<String, Object> topologyConfiguration, TopologyContext context, OutputCollector output) {
        ExampleConfiguration configuration = new ExampleConfiguration(topologyConfiguration);
        collector = output;
        advertisements = new Advertisements(configuration);
        store = new CampaignStore(configuration);
        try {
            store.load(advertisements);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure.getMessage(), failure);
        }
    }

    @Override
    public void execute(Tuple tuple) {
        try {
            String advertisement = tuple.getString(0);
            String campaign = store.campaign(advertisement);
            if (campaign == null) {
                store.load(advertisements);
                campaign = store.campaign(advertisement);
            }
            if (campaign == null) {
                collector.reportError(new MalformedRecordException("No campaign has this advertisement: " + advertisement));
            } else {
                collector.emit(tuple, new Values(campaign, tuple.getValue(1), tuple.getValue(2)));
            }
            collector.ack(tuple);
        } catch (IOException failure) {
            collector.reportError(failure);
            collector.fail(tuple);
        }
    }

    @Override
    public void cleanup() {
        store.close();
    }
}
