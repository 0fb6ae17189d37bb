package io.eyewall.client.frame;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import javax.net.SocketFactory;
import org.apache.storm.messaging.netty.ControlMessage;
import org.apache.storm.messaging.netty.SaslMessageToken;
import org.apache.storm.messaging.netty.SaslNettyClient;

/** Connections to workers that begin as those of a worker of the same topology, which knows its secret. */
final class AuthenticatedSockets extends SocketFactory {

    private static final int PATIENCE_MS = 60_000;

    private final String topologyName;
    private final String secret;

    AuthenticatedSockets(String topologyName, String secret) {
        this.topologyName = topologyName;
        this.secret = secret;
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException {
        Socket socket = new Socket(host, port);
        try {
            socket.setSoTimeout(PATIENCE_MS);
            authenticate(socket);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private void authenticate(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        DataOutputStream out = new DataOutputStream(socket.getOutputStream());
        SaslNettyClient client = new SaslNettyClient(topologyName, secret.getBytes(StandardCharsets.UTF_8));
        out.writeShort(WorkerPortFuzzTest.code(ControlMessage.SASL_TOKEN_MESSAGE_REQUEST));
        short code = in.readShort();
        while (code == SaslMessageToken.IDENTIFIER) {
            byte[] response = client.saslResponse(new SaslMessageToken(in.readNBytes(in.readInt())));
            if (response != null) {
                out.write(WorkerPortFuzzTest.message(SaslMessageToken.IDENTIFIER, response));
            }
            code = in.readShort();
        }
        if (code != WorkerPortFuzzTest.code(ControlMessage.SASL_COMPLETE_REQUEST)) {
            throw new IOException("The worker does not confirm the secret, but sends " + code + ".");
        }
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        return createSocket(InetAddress.getByName(host), port);
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress from, int fromPort) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress from, int fromPort) {
        throw new UnsupportedOperationException();
    }
}
