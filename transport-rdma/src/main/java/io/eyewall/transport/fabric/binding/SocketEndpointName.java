package io.eyewall.transport.fabric.binding;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Decodes the names of endpoints that are socket addresses ({@code sockaddr_in} and {@code sockaddr_in6} on Linux). */
public final class SocketEndpointName {

    private static final short AF_INET = 2;
    private static final short AF_INET6 = 10;
    private static final int IN_BYTES = 16;
    private static final int IN_ADDRESS = 4;
    private static final int IN6_BYTES = 28;
    private static final int IN6_ADDRESS = 8;
    private static final int PORT = 2;

    private SocketEndpointName() {
    }

    /** The address and port, or null if the name is not a socket address. */
    public static InetSocketAddress decode(byte[] name) {
        if (!isSocketName(name)) {
            return null;
        }
        try {
            return new InetSocketAddress(InetAddress.getByAddress(address(name)), ByteBuffer.wrap(name).getShort(PORT) & 0xffff);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("An address of 4 or 16 bytes was refused", e);
        }
    }

    /** The name in words for the log. */
    public static String describe(byte[] name) {
        InetSocketAddress address = decode(name);
        return address == null
            ? "an endpoint named by " + name.length + " bytes"
            : address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    /**
     * The name by which a peer can be reached. If it holds a port without an address, this is the port at the address from which the peer
     * connected.
     */
    public static byte[] reachable(byte[] name, InetAddress heardFrom) {
        InetSocketAddress address = decode(name);
        if (address == null || !address.getAddress().isAnyLocalAddress() || heardFrom.getAddress().length != address(name).length) {
            return name;
        }
        byte[] reachable = name.clone();
        byte[] bytes = heardFrom.getAddress();
        System.arraycopy(bytes, 0, reachable, bytes.length == 4 ? IN_ADDRESS : IN6_ADDRESS, bytes.length);
        return reachable;
    }

    private static boolean isSocketName(byte[] name) {
        if (name.length < IN_BYTES) {
            return false;
        }
        short family = ByteBuffer.wrap(name).order(ByteOrder.nativeOrder()).getShort(0);
        return (family == AF_INET && name.length == IN_BYTES) || (family == AF_INET6 && name.length == IN6_BYTES);
    }

    private static byte[] address(byte[] name) {
        return name.length == IN_BYTES
            ? Arrays.copyOfRange(name, IN_ADDRESS, IN_ADDRESS + 4)
            : Arrays.copyOfRange(name, IN6_ADDRESS, IN6_ADDRESS + 16);
    }
}
