package io.eyewall.client.security;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.security.cert.CertificateException;
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
     * A connection after its handshake, which fails if the server's certificate is for another host.
     *
     * @param timeoutMs how long the server may be silent during the handshake; 0 for ever
     * @throws TTransportException if there is no connection; says who refuses whom, and what to do
     */
    static TSocket connect(String host, int port, int timeoutMs, TSSLTransportFactory.TSSLTransportParameters parameters,
            Map<String, Object> conf) throws TTransportException {
        TSocket connected = TSSLTransportFactory.getClientSocket(host, port, timeoutMs, parameters);
        if (connected.getSocket() instanceof SSLSocket socket) {
            if (new SecurityConfiguration(conf).isHostVerified()) {
                SSLParameters tls = socket.getSSLParameters();
                tls.setEndpointIdentificationAlgorithm(BY_NAME);
                socket.setSSLParameters(tls);
            }
            try {
                socket.startHandshake();
            } catch (IOException e) {
                connected.close();
                throw new TTransportException("No connection over TLS to " + host + ":" + port + ": " + e.getMessage() + "."
                    + remedy(e, host), e);
            }
        }
        return connected;
    }

    private static String remedy(IOException fault, String host) {
        for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException) {
                return " The server's certificate must be for " + host
                    + ", and the trust store of this client (....thrift.tls.client.truststore.path) must trust it.";
            }
        }
        // A server that refuses a client sends an alert and closes the connection, which the client may see first.
        return fault instanceof SocketTimeoutException ? ""
            : " The server may want a certificate (....thrift.tls.client.keystore.path) that its own trust store trusts.";
    }
}
