package io.eyewall.client.security;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.security.auth.Subject;
import org.apache.storm.Config;
import org.apache.storm.security.auth.ReqContext;
import org.apache.storm.security.auth.SingleUserPrincipal;
import org.apache.storm.thrift.TException;
import org.apache.storm.thrift.TProcessor;
import org.apache.storm.thrift.protocol.TProtocol;
import org.apache.storm.thrift.transport.TServerSocket;
import org.apache.storm.thrift.transport.TSocket;
import org.apache.storm.thrift.transport.TTransportException;
import org.apache.storm.utils.ObjectReader;

/**
 * Who asks a Thrift server over TLS: whom the client's certificate names. Upstream's server calls a method that Java has not had since 15,
 * and so closes each connection; and it asks for a certificate without requiring one. Not for use by features. Safe for any thread.
 */
public final class CertifiedCallers {

    /** Who has no certificate, where none is required. */
    private static final String ANONYMOUS = "CN=ANONYMOUS";
    /** For each message of the handshake. A request may take longer. */
    private static final int HANDSHAKE_TIMEOUT_MS = 30_000;

    private static final String UPSTREAMS = "org.apache.storm.security.auth.";
    private static final String SUPPORTS_TLS = UPSTREAMS + "tls.TlsTransportPlugin";
    /** Upstream's transports that do not speak TLS. */
    private static final Set<Object> WITHOUT_TLS = Set.of(UPSTREAMS + "SimpleTransportPlugin",
        UPSTREAMS + "digest.DigestSaslTransportPlugin", UPSTREAMS + "plain.PlainSaslTransportPlugin",
        UPSTREAMS + "kerberos.KerberosSaslTransportPlugin");

    private CertifiedCallers() {
    }

    /**
     * The transport of connections over TLS, after {@code ThriftConnectionType.getTransportPlugin}. Without the key it is that of
     * {@code storm.thrift.transport} if somebody else has written it. Upstream's Supervisor takes that whichever it is, and listens without
     * TLS, where clients expect it.
     *
     * @param key says which transport to take
     * @throws IllegalArgumentException if it says one that does not speak TLS
     */
    public static String transport(Map<String, Object> conf, String key) {
        Object chosen = conf.get(key);
        if (chosen == null) {
            Object general = conf.get(Config.STORM_THRIFT_TRANSPORT_PLUGIN);
            return general == null || WITHOUT_TLS.contains(general) ? SUPPORTS_TLS : general.toString();
        }
        if (WITHOUT_TLS.contains(chosen)) {
            throw new IllegalArgumentException(key + ": " + chosen + " does not speak TLS. Remove the key, or set"
                + " ....thrift.client.use.tls to false.");
        }
        return chosen.toString();
    }

    /** In place of {@code ObjectReader.getBoolean} for whether clients need a certificate: they do, unless the configuration says no. */
    public static boolean isRequired(Object configured, boolean ignoredDefault) {
        return ObjectReader.getBoolean(configured, true);
    }

    /**
     * In place of {@code TTlsWrapProcessor.process}: serves a request of a connection, the first of which begins with the handshake.
     *
     * @throws TTransportException if the client is refused
     */
    public static void process(TProcessor served, TProtocol in, TProtocol out) throws TException {
        SSLSocket socket = (SSLSocket) ((TSocket) in.getTransport()).getSocket();
        if (socket.getApplicationProtocol() == null) {
            shakeHands(socket);
        }
        ReqContext caller = ReqContext.context();
        caller.setRemoteAddress(socket.getInetAddress());
        caller.setSubject(new Subject(false, Set.of(new SingleUserPrincipal(name(socket))), Set.of(), Set.of()));
        served.process(in, out);
    }

    /** After {@code ReloadableTsslTransportFactory.createServerSocket}, which only asks for a certificate. */
    public static void require(boolean required, TServerSocket server) {
        if (required) {
            ((SSLServerSocket) server.getServerSocket()).setNeedClientAuth(true);
        }
    }

    /**
     * Where a server listens over TLS: at all addresses, as at its other ports. Upstream's listens at that of the host's own name, which on
     * some hosts no other host reaches.
     */
    public static InetAddress anyAddress() {
        return new InetSocketAddress(0).getAddress();
    }

    private static void shakeHands(SSLSocket socket) throws TTransportException {
        try {
            int timeoutMs = socket.getSoTimeout();
            socket.setSoTimeout(HANDSHAKE_TIMEOUT_MS);
            socket.startHandshake();
            socket.setSoTimeout(timeoutMs);
        } catch (IOException e) {
            // Thrift's server logs no end of a connection. Nobody who only looks whether somebody listens is worth a line.
            int type = e.getCause() instanceof EOFException ? TTransportException.END_OF_FILE : TTransportException.UNKNOWN;
            throw new TTransportException(type, "The client at " + socket.getRemoteSocketAddress() + " is refused: " + e.getMessage()
                + ". A client needs TLS, and a certificate that the trust store of this server (....thrift.tls.server.truststore.path)"
                + " trusts, unless ....thrift.tls.client.auth.required is false.", e);
        }
    }

    /** As Java printed it when upstream was written, with a space behind each comma. */
    private static String name(SSLSocket socket) {
        try {
            return ((X509Certificate) socket.getSession().getPeerCertificates()[0]).getSubjectX500Principal().toString();
        } catch (SSLPeerUnverifiedException e) {
            return ANONYMOUS;
        }
    }
}
