package io.eyewall.client.security;

import com.esotericsoftware.kryo.Kryo;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.asm.MemberSubstitution;
import org.apache.storm.messaging.netty.Client;
import org.apache.storm.messaging.netty.MessageDecoder;
import org.apache.storm.security.auth.ThriftConnectionType;
import org.apache.storm.serialization.KryoValuesDeserializer;
import org.apache.storm.shade.io.netty.buffer.ByteBufAllocator;
import org.apache.storm.shade.io.netty.handler.ssl.SslContext;
import org.apache.storm.shade.io.netty.handler.ssl.SslHandler;
import org.apache.storm.thrift.TConfiguration;
import org.apache.storm.thrift.server.TThreadPoolServer;
import org.apache.storm.thrift.transport.TNonblockingServerSocket;
import org.apache.storm.thrift.transport.TSSLTransportFactory;
import org.apache.storm.thrift.transport.TServerTransport;
import org.apache.storm.thrift.transport.TSocket;
import org.apache.storm.thrift.transport.TTransportException;
import org.apache.storm.utils.Utils;

/** Woven calls that need more than the arguments of the call that they replace. Not for use by features. */
public final class SecurityDelegates {

    private SecurityDelegates() {
    }

    /**
     * In place of {@code Set.size()} of the users in {@code SimpleACLAuthorizer.permit}, which lets everybody in when there are none: there
     * may be groups.
     */
    public static int usersAndGroups(@MemberSubstitution.This(source = MemberSubstitution.Source.SUBSTITUTED_ELEMENT) Set<String> users,
            @MemberSubstitution.FieldValue("nimbusGroups") Set<String> groups) {
        return users.size() + groups.size();
    }

    /** In place of {@code new Kryo()} in {@code DefaultStateSerializer}. */
    public static Kryo stateKryo(@MemberSubstitution.FieldValue("this$0") Object serializer) {
        return new StateKryo(new SecurityConfiguration(((StateConfAccess) serializer).getTopoConf()).stateClasses());
    }

    /** In place of {@code TSSLTransportFactory.getClientSocket(..)} in {@code ThriftClient.reconnect}. */
    public static TSocket clientSocket(@MemberSubstitution.Argument(0) String host, @MemberSubstitution.Argument(1) int port,
            @MemberSubstitution.Argument(3) TSSLTransportFactory.TSSLTransportParameters parameters,
            @MemberSubstitution.FieldValue("timeout") Integer timeoutMs,
            @MemberSubstitution.FieldValue("conf") Map<String, Object> conf) throws TTransportException {
        return VerifiedHosts.connect(host, port, timeoutMs == null ? 0 : timeoutMs, parameters, conf);
    }

    /** In place of {@code SslContext.newHandler(..)} where a worker connects to another. */
    public static SslHandler workerTls(@MemberSubstitution.This(source = MemberSubstitution.Source.SUBSTITUTED_ELEMENT) SslContext context,
            @MemberSubstitution.Argument(0) ByteBufAllocator allocator, @MemberSubstitution.FieldValue("client") Client client,
            @MemberSubstitution.FieldValue("conf") Map<String, Object> conf) {
        return VerifiedWorkers.handler(context, allocator, client.getDstAddress(), conf);
    }

    /**
     * In place of {@code new TNonblockingServerSocket(int)} in {@code SimpleTransportPlugin.getServer}. A frame that is longer than what
     * the server may keep is refused by its length. Upstream's server waits for space that never comes, with one core, even after
     * whoever has announced the frame is gone.
     */
    public static TNonblockingServerSocket serverSocket(@MemberSubstitution.Argument(0) int port,
            @MemberSubstitution.FieldValue("type") ThriftConnectionType type,
            @MemberSubstitution.FieldValue("topoConf") Map<String, Object> conf) throws TTransportException {
        int maxFrameBytes = Math.min(TConfiguration.DEFAULT_MAX_FRAME_SIZE, type.getMaxBufferSize(conf));
        return new TNonblockingServerSocket(port, 0, maxFrameBytes);
    }

    /** In place of {@code new TThreadPoolServer.Args(..)} in the {@code getServer} of transports over TLS and SASL. */
    public static TThreadPoolServer.Args serverArguments(@MemberSubstitution.Argument(0) TServerTransport sockets,
            @MemberSubstitution.FieldValue("type") ThriftConnectionType type,
            @MemberSubstitution.FieldValue("conf") Map<String, Object> conf) {
        Map<String, Object> all = Utils.readDefaultConfig(); // Upstream asks for the limit only without TLS and SASL.
        all.putAll(conf);
        return BoundedRequests.arguments(sockets, type.getMaxBufferSize(all));
    }

    /** In place of {@code new MessageDecoder(..)} where a worker accepts a connection. */
    public static MessageDecoder acceptingDecoder(@MemberSubstitution.Argument(0) KryoValuesDeserializer values,
            @MemberSubstitution.FieldValue("topoConf") Map<String, Object> conf) {
        return new BoundedDecoder(values, conf, false);
    }

    /** In place of {@code new MessageDecoder(..)} where a worker connects to another. */
    public static MessageDecoder connectingDecoder(@MemberSubstitution.Argument(0) KryoValuesDeserializer values,
            @MemberSubstitution.FieldValue("conf") Map<String, Object> conf) {
        return new BoundedDecoder(values, conf, true);
    }

    /** In place of {@code Map.get} in {@code ReflectionUtils.newSchedulerStrategyInstance}. */
    public static Object allowedStrategies(
            @MemberSubstitution.Argument(value = 0, source = MemberSubstitution.Source.ENCLOSING_METHOD) String strategy,
            @MemberSubstitution.Argument(value = 1, source = MemberSubstitution.Source.ENCLOSING_METHOD) Map<String, Object> nimbusConf) {
        SchedulingStrategies.log(nimbusConf, strategy);
        List<?> allowed = SchedulingStrategies.allowed(nimbusConf);
        return allowed;
    }
}
