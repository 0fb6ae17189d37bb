package io.eyewall.transport.fabric.link.driver;

import io.eyewall.client.time.NanoClock;
import io.eyewall.transport.fabric.binding.EndpointType;
import io.eyewall.transport.fabric.binding.FabricException;
import io.eyewall.transport.fabric.link.frame.Hello;
import io.eyewall.transport.fabric.link.frame.ProtocolException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;

/**
 * Connects links over one type of endpoint and polls the library for their completions. Only the progress thread calls it, except
 * {@link #linksWithBuffers()}.
 */
public interface EndpointDriver extends AutoCloseable {

    /**
     * Opens a driver for the configured type of endpoint, on the progress thread.
     *
     * @param name names the driver in log lines and its threads
     * @param progressThread runs commands on the progress thread
     * @param onNewDevice runs when the driver has opened another device, so that {@link #sleeper()} must be asked again
     * @throws FabricException if the library or the provider is missing, with the remedy
     */
    static EndpointDriver open(DriverConfiguration configuration, String name, NanoClock clock, Executor progressThread,
        Runnable onNewDevice) {
        return configuration.type() == EndpointType.CONNECTED
            ? new ConnectedEndpointDriver(configuration, name, onNewDevice)
            : new TaggedEndpointDriver(configuration, name, clock, progressThread);
    }

    /**
     * Handles completed receives, and events of connections if asked to, in one bounded round.
     *
     * @param withEvents whether to look for events of connections, which takes longer
     * @return how many completions and events it handled
     */
    int poll(boolean withEvents);

    /** Reports completed sends to their links, one batch at most; returns how many. */
    int pollSends();

    /**
     * Listens for peers.
     *
     * @param port 0 for any free port
     * @return the port, which the progress thread closes
     * @throws FabricException if it cannot listen on the port
     */
    Port listen(int port, Acceptor acceptor);

    /**
     * Starts to connect a link.
     *
     * @throws FabricException if that is impossible; what happens later is reported to the link
     */
    void connect(DriverLink link, InetSocketAddress peer);

    /** Lets the progress thread sleep until one of the devices in use has something, or null if the provider cannot do that. */
    Sleeper sleeper();

    /** How many links have buffers: open ones, and closed ones whose buffers the provider still uses. Any thread may ask. */
    int linksWithBuffers();

    /** Closes all endpoints. After this call the provider uses no buffers. */
    void closeEndpoints();

    /** Closes everything else, after all links have released their buffers. */
    @Override
    void close();

    /** A port that a driver listens on. */
    interface Port {

        /** The number of the port. */
        int number();

        /** Stops listening. Connected links stay. */
        void close();
    }

    /** Decides about peers that ask for a link. */
    interface Acceptor {

        /**
         * Checks that a peer knows the secret. Any thread may call it.
         *
         * @throws ProtocolException if it does not
         */
        void check(Hello hello) throws ProtocolException;

        /**
         * Creates the link for a peer, on the progress thread.
         *
         * @param peer the peer's address, in words for the log
         */
        DriverLink accept(String peer);
    }
}
