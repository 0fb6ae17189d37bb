package io.eyewall.client.security;

import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.security.auth.callback.CallbackHandler;
import org.apache.storm.thrift.TConfiguration;
import org.apache.storm.thrift.TException;
import org.apache.storm.thrift.protocol.TBinaryProtocol;
import org.apache.storm.thrift.protocol.TList;
import org.apache.storm.thrift.protocol.TMap;
import org.apache.storm.thrift.protocol.TProtocol;
import org.apache.storm.thrift.protocol.TProtocolException;
import org.apache.storm.thrift.protocol.TProtocolUtil;
import org.apache.storm.thrift.protocol.TSet;
import org.apache.storm.thrift.server.TThreadPoolServer;
import org.apache.storm.thrift.transport.TSaslServerTransport;
import org.apache.storm.thrift.transport.TServerTransport;
import org.apache.storm.thrift.transport.TSocket;
import org.apache.storm.thrift.transport.TTransport;
import org.apache.storm.thrift.transport.TTransportException;
import org.apache.storm.thrift.transport.sasl.TSaslServerDefinition;

/**
 * What a request to a Thrift server may ask for: no more bytes than the server's {@code max_buffer_size}, and no more elements than there
 * are bytes. Upstream's servers over TLS and SASL make room for what a request announces, up to 100 MB for a string and 2 GB for a frame of
 * SASL, and those without for lists of any length; they end with an {@code OutOfMemoryError}. Not for use by features.
 *
 * <p>Each connection belongs to one thread of the server.
 */
public final class BoundedRequests {

    /** In Thrift's words; the transport has the limit. */
    private static final long UNLIMITED = -1;

    private BoundedRequests() {
    }

    /**
     * In place of {@code new TThreadPoolServer.Args(..)}.
     *
     * @param maxBytes of a request, as it comes: of SASL and its messages, too, but without those of TLS
     */
    static TThreadPoolServer.Args arguments(TServerTransport sockets, int maxBytes) {
        return new TThreadPoolServer.Args(new Sockets(sockets, maxBytes));
    }

    /** In place of {@code new TBinaryProtocol.Factory(..)} in servers over TLS and SASL. */
    public static TBinaryProtocol.Factory protocols(boolean strictRead, boolean strictWrite) {
        return framedProtocols(strictRead, strictWrite, UNLIMITED, UNLIMITED);
    }

    /** In place of {@code new TBinaryProtocol.Factory(..)} in servers whose requests have come as a whole. */
    public static TBinaryProtocol.Factory framedProtocols(boolean strictRead, boolean strictWrite, long maxStringBytes, long maxElements) {
        // Thrift follows structures in a field that it does not know until the stack overflows, which ends the server.
        TProtocolUtil.setMaxSkipDepth(TConfiguration.DEFAULT_RECURSION_DEPTH);
        return new Protocols(strictRead, strictWrite, maxStringBytes, maxElements);
    }

    /** In place of {@code new TSaslServerTransport.Factory()}. */
    public static TSaslServerTransport.Factory saslTransports() {
        return new SaslTransports();
    }

    /** Accepts connections whose requests are bounded. */
    private static final class Sockets extends TServerTransport {
        private final TServerTransport sockets;
        private final int maxBytes;

        Sockets(TServerTransport sockets, int maxBytes) {
            this.sockets = sockets;
            this.maxBytes = maxBytes;
        }

        @Override
        public void listen() throws TTransportException {
            sockets.listen();
        }

        @Override
        public TTransport accept() throws TTransportException {
            return new Requests(((TSocket) sockets.accept()).getSocket(), maxBytes);
        }

        @Override
        public void close() {
            sockets.close();
        }

        @Override
        public void interrupt() {
            sockets.interrupt();
        }
    }

    /** A connection, which counts the bytes of a request. An answer ends it. */
    private static final class Requests extends TSocket {
        private final int maxBytes;
        private long bytesLeft;
        private SaslTransport sasl;

        Requests(Socket socket, int maxBytes) throws TTransportException {
            super(socket);
            this.maxBytes = maxBytes;
            bytesLeft = maxBytes;
            getConfiguration().setMaxMessageSize(maxBytes);
        }

        @Override
        public int read(byte[] into, int offset, int length) throws TTransportException {
            int bytes = super.read(into, offset, length);
            checkReadBytesAvailable(bytes);
            bytesLeft -= bytes;
            return bytes;
        }

        @Override
        public void checkReadBytesAvailable(long bytes) throws TTransportException {
            if (bytes > bytesLeft) {
                throw new TTransportException(TTransportException.MESSAGE_SIZE_LIMIT, "A request has more than " + maxBytes
                    + " bytes. If the caller is to be trusted, raise the server's ....max_buffer_size.");
            }
        }

        @Override
        public void flush() throws TTransportException {
            super.flush();
            bytesLeft = maxBytes;
        }

        /** One for both directions, which knows who asks. */
        SaslTransport sasl(List<TSaslServerDefinition> definitions) throws TTransportException {
            if (sasl == null) {
                sasl = new SaslTransport(this);
                for (TSaslServerDefinition of : definitions) {
                    sasl.addServerDefinition(of.mechanism, of.protocol, of.serverName, of.props, of.cbh);
                }
                sasl.open();
            }
            return sasl;
        }
    }

    /** Over connections of ours they are of ours. */
    private static final class SaslTransports extends TSaslServerTransport.Factory {
        private final List<TSaslServerDefinition> definitions = new ArrayList<>();

        @Override
        public void addServerDefinition(String mechanism, String protocol, String server, Map<String, String> properties,
                CallbackHandler callbacks) {
            super.addServerDefinition(mechanism, protocol, server, properties, callbacks);
            definitions.add(new TSaslServerDefinition(mechanism, protocol, server, properties, callbacks));
        }

        @Override
        public TTransport getTransport(TTransport connection) throws TTransportException {
            return connection instanceof Requests requests ? requests.sasl(definitions) : super.getTransport(connection);
        }
    }

    /** Makes room for no frame that is too long. */
    private static final class SaslTransport extends TSaslServerTransport {

        SaslTransport(Requests requests) throws TTransportException {
            super(requests);
        }

        @Override
        protected int readLength() throws TTransportException {
            int bytes = super.readLength();
            underlyingTransport.checkReadBytesAvailable(bytes);
            return bytes;
        }
    }

    /** Makes protocols that believe no length. */
    private static final class Protocols extends TBinaryProtocol.Factory {
        private static final long serialVersionUID = 1;

        Protocols(boolean strictRead, boolean strictWrite, long maxStringBytes, long maxElements) {
            super(strictRead, strictWrite, maxStringBytes, maxElements);
        }

        @Override
        public TProtocol getProtocol(TTransport transport) {
            return new Protocol(transport, this);
        }

        private static final class Protocol extends TBinaryProtocol {

            Protocol(TTransport transport, Protocols limits) {
                super(transport, limits.stringLengthLimit_, limits.containerLengthLimit_, limits.strictRead_, limits.strictWrite_);
            }

            /** For Thrift an empty structure has no bytes, although it ends with one. */
            @Override
            public int getMinSerializedSize(byte type) throws TTransportException {
                return Math.max(1, super.getMinSerializedSize(type));
            }

            @Override
            protected void checkReadBytesAvailable(TMap map) throws TException {
                super.checkReadBytesAvailable(map);
                checkFrame(map.size, (long) getMinSerializedSize(map.keyType) + getMinSerializedSize(map.valueType));
            }

            @Override
            protected void checkReadBytesAvailable(TList list) throws TException {
                super.checkReadBytesAvailable(list);
                checkFrame(list.size, getMinSerializedSize(list.elemType));
            }

            @Override
            protected void checkReadBytesAvailable(TSet set) throws TException {
                super.checkReadBytesAvailable(set);
                checkFrame(set.size, getMinSerializedSize(set.elemType));
            }

            /** Of what has come as a whole it is known how much is left. */
            private void checkFrame(int elements, long bytesEach) throws TProtocolException {
                int bytesLeft = getTransport().getBytesRemainingInBuffer();
                if (bytesLeft >= 0 && elements * bytesEach > bytesLeft) {
                    throw new TProtocolException(TProtocolException.SIZE_LIMIT, "A request announces " + elements + " elements in "
                        + bytesLeft + " bytes.");
                }
            }
        }
    }
}
