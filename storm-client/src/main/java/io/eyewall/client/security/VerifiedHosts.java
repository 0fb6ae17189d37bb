package io.eyewall.client.security;

import java.util.Map;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.apache.storm.thrift.transport.TSSLTransportFactory;
import org.apache.storm.thrift.transport.TSocket;
import org.apache.storm.thrift.transport.TTransportException;

/**
 * Connections of Thrift clients over TLS to servers that are who they say they are. Upstream's client takes any certificate that it trusts,
 * for whatever host it was made. Safe for any thread.
 */
final class VerifiedHosts {

    private static final String BY_NAME = "HTTPS";

    private VerifiedHosts() {
    }

    /**
     * A connection whose handshake, which the first byte begins, fails if the server's certificate is for another host.
     *
     * @throws TTransportException if there is no connection
     */
    static TSocket connect(String host, int port, int timeoutMs, TSSLTransportFactory.TSSLTransportParameters parameters,
            Map<String, Object> conf) throws TTransportException {
        TSocket connected = TSSLTransportFactory.getClientSocket(host, port, timeoutMs, parameters);
        if (new SecurityConfiguration(conf).isHostVerified() && connected.getSocket() instanceof SSLSocket socket) {
            SSLParameters tls = socket.getSSLParameters();
            tls.setEndpointIdentificationAlgorithm(BY_NAME);
            socket.setSSLParameters(tls);
        }
        return connected;
    }
}
