package io.eyewall.tail.output;

import io.eyewall.client.settings.tail.LatencyAccess;
import io.eyewall.client.stream.container.ContainerFeature;
import io.eyewall.client.stream.slot.Slot;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves the figures of a container's instances where a worker would serve its own, so that readers need not know of instances. */
public final class ContainerEndpointFeature implements ContainerFeature {

    private static final Logger LOG = LoggerFactory.getLogger(ContainerEndpointFeature.class);

    @Override
    public Runnable join(Slot slot, Map<String, Object> topologyConf, Members members) {
        LatencyAccess access;
        try {
            access = LatencyAccess.of(topologyConf);
        } catch (IllegalArgumentException e) {
            // A topology's configuration is checked at submission, so this value is from the storm.yaml of this host.
            LOG.error("What the instances record is not served: {}", e.getMessage());
            return () -> { };
        }
        if (!access.isPossible() || WorkerOutputs.isBeyond(slot.port(), access.endpointPortOffset())) {
            return () -> { };
        }
        int port = slot.port() + access.endpointPortOffset();
        ContainerPages pages = new ContainerPages(slot.topologyId(), WorkerOutputs.topologyName(slot.topologyId()), members,
            Clock.systemUTC());
        try {
            LatencyEndpoint endpoint = LatencyEndpoint.open(new InetSocketAddress(port), pages.metrics(), pages.byPath());
            LOG.info("What the instances record is served on port {}.", port);
            return endpoint::close;
        } catch (IOException e) {
            WorkerOutputs.cannotBind(port, e);
            return () -> { };
        }
    }
}
