package io.eyewall.transport.fabric.binding;

/**
 * The endpoint that the library is asked for.
 *
 * @param type the type of endpoint
 * @param provider the provider's name as {@code fi_info} prints it, for instance {@code tcp} or {@code verbs}
 * @param node a numeric IP address, or null for any
 * @param port the port, 0 to let the system choose one, or -1 for none
 * @param local whether node and port are this end's, to listen on or send from, and not the peer's
 */
public record FabricQuery(EndpointType type, String provider, String node, int port, boolean local) {

    @Override
    public String toString() {
        return type + " endpoint of provider '" + provider + "'" + (local ? " at " : " to ") + (node == null ? "any address" : node)
            + (port < 0 ? "" : ":" + port);
    }
}
