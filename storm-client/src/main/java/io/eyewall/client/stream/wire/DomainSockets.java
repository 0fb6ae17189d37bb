package io.eyewall.client.stream.wire;

import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import org.apache.storm.shade.io.netty.channel.Channel;
import org.apache.storm.shade.io.netty.channel.IoHandlerFactory;
import org.apache.storm.shade.io.netty.channel.ServerChannel;
import org.apache.storm.shade.io.netty.channel.epoll.Epoll;
import org.apache.storm.shade.io.netty.channel.epoll.EpollDomainSocketChannel;
import org.apache.storm.shade.io.netty.channel.epoll.EpollIoHandler;
import org.apache.storm.shade.io.netty.channel.epoll.EpollServerDomainSocketChannel;
import org.apache.storm.shade.io.netty.channel.nio.NioIoHandler;
import org.apache.storm.shade.io.netty.channel.socket.nio.NioDomainSocketChannel;
import org.apache.storm.shade.io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import org.apache.storm.shade.io.netty.channel.unix.DomainSocketAddress;

/** Unix domain sockets: with the kernel's epoll where Netty's native library can be loaded, with Java's selectors elsewhere. */
public final class DomainSockets {

    private DomainSockets() {
    }

    /** Makes the I/O handlers for the event loop of such channels: epoll's, or that of Java's selectors. */
    public static IoHandlerFactory ioHandlerFactory() {
        return Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    }

    /** The type of channels that connect. */
    public static Class<? extends Channel> clientType() {
        return Epoll.isAvailable() ? EpollDomainSocketChannel.class : NioDomainSocketChannel.class;
    }

    /** The type of channels that listen. */
    public static Class<? extends ServerChannel> serverType() {
        return Epoll.isAvailable() ? EpollServerDomainSocketChannel.class : NioServerDomainSocketChannel.class;
    }

    /** The address of a socket. A relative path is shorter, which matters: the kernel takes 107 bytes. */
    public static SocketAddress address(Path socket) {
        return Epoll.isAvailable() ? new DomainSocketAddress(socket.toString()) : UnixDomainSocketAddress.of(socket);
    }
}
