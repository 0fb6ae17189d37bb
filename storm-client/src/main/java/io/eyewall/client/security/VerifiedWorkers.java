package io.eyewall.client.security;

import java.net.InetSocketAddress;
import java.security.cert.CertificateException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLParameters;
import org.apache.storm.Config;
import org.apache.storm.shade.io.netty.buffer.ByteBufAllocator;
import org.apache.storm.shade.io.netty.channel.Channel;
import org.apache.storm.shade.io.netty.handler.ssl.SslContext;
import org.apache.storm.shade.io.netty.handler.ssl.SslHandler;
import org.apache.storm.shade.io.netty.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections over TLS to workers that are who they say they are. Upstream's do not come about: Netty checks the name in the certificate,
 * and upstream does not say which name to expect. Safe for any thread.
 */
final class VerifiedWorkers {

    private static final Logger LOG = LoggerFactory.getLogger(VerifiedWorkers.class);
    private static final String BY_NAME = "HTTPS";
    private static final String NOT_AT_ALL = "";
    /** Refused workers of this process, of which few are logged: a connection is tried again for ever. */
    private static final AtomicLong REFUSED = new AtomicLong();

    private VerifiedWorkers() {
    }

    /** The TLS end of a connection to a worker, whose handshake fails if the worker's certificate is for another host. */
    static SslHandler handler(SslContext context, ByteBufAllocator allocator, InetSocketAddress worker, Map<String, Object> conf) {
        SslHandler handler = context.newHandler(allocator, worker.getHostString(), worker.getPort());
        SSLParameters tls = handler.engine().getSSLParameters();
        tls.setEndpointIdentificationAlgorithm(new SecurityConfiguration(conf).isWorkerVerified() ? BY_NAME : NOT_AT_ALL);
        handler.engine().setSSLParameters(tls);
        Future<Channel> unused = handler.handshakeFuture().addListener(handshake -> logRefused(worker, handshake.cause()));
        return handler;
    }

    private static void logRefused(InetSocketAddress worker, Throwable fault) {
        for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateException) {
                if (Long.bitCount(REFUSED.incrementAndGet()) == 1) {
                    LOG.error("The certificate of the worker at {}:{} was refused ({}). It must be for {}, and {} must trust it. If"
                        + " certificates lack the names of their hosts, set {} to false.", worker.getHostString(), worker.getPort(),
                        cause.getMessage(), worker.getHostString(), Config.STORM_MESSAGING_NETTY_TLS_CLIENT_TRUSTSTORE_PATH,
                        SecurityConfiguration.VERIFY_WORKER);
                }
                return;
            }
        }
    }
}
