package io.eyewall.transport.fabric.binding;

/**
 * What to ask the library for.
 *
 * @param type the type of endpoint
 * @param provider the provider's name as {@code fi_info} prints it, for instance {@code tcp} or {@code verbs}
 * @param node a numeric IP address, or null for any
 * @param port a TCP-style port, or -1 for none; 0 lets the system choose
 * @param local true if the node and port are ours, to listen on or send from; false if they are the peer's
 */
public record FabricQuery(EndpointType type, String provider, String node, int port, boolean local) {

    @Override
    public String toString() {
        return type + " endpoint of provider '" + provider + "'" + (local ? " at " : " to ") + (node == null ? "any address" : node)
            + (port < 0 ? "" : ":" + port);
    }
}
