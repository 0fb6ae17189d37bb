package io.eyewall.tail.output;

import io.eyewall.client.stream.manager.PassageProbe;
import io.eyewall.client.stream.slot.ProcessFile;
import io.eyewall.client.stream.slot.Slot;
import io.eyewall.client.stream.slot.SlotTopology;
import io.eyewall.tail.recording.LatencyRecordingConfiguration;
import io.eyewall.tail.recording.PassageRecording;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.cluster.IStateStorage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Adds latency recording to a stream manager, which serves it to its container. */
public final class PassageRecordingFeature implements PassageProbe.Feature {

    private static final Logger LOG = LoggerFactory.getLogger(PassageRecordingFeature.class);

    @Override
    public PassageProbe join(Slot slot, SlotTopology topology, IStateStorage storage) {
        LatencyRecordingConfiguration configuration;
        try {
            configuration = new LatencyRecordingConfiguration(topology.conf());
        } catch (IllegalArgumentException e) {
            // A topology's configuration is checked at submission, so this value is from the storm.yaml of this host.
            LOG.error("Latencies are not recorded: {}", e.getMessage());
            return PassageProbe.NONE;
        }
        if (configuration.sampling().isOff() || configuration.endpointPortOffset() == 0) {
            return PassageProbe.NONE;
        }
        PassageRecording recording =
            PassageRecording.begin(configuration, topology.components()::get, storage, slot.topologyId(), slot.port());
        HopCollector collector = new HopCollector(recording.recorders(), configuration.precisionDigits());
        new LatencyReporter(collector, List.of(), Clock.systemUTC(), TimeUnit.SECONDS.toMillis(configuration.intervalSecs())).start();
        try {
            LatencyEndpoint endpoint = LatencyEndpoint.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new PrometheusPage(new PrometheusHops(collector, WorkerOutputs.topologyName(slot.topologyId()))),
                Map.of("/latency", new LatencyPage(collector, slot.topologyId(), Clock.systemUTC())));
            ProcessFile.write(Path.of(ProcessFile.FIGURES_PORT), String.valueOf(endpoint.port()));
        } catch (IOException e) {
            LOG.warn("The latencies that this stream manager records cannot be read: {}", e.toString());
        }
        return recording;
    }
}
