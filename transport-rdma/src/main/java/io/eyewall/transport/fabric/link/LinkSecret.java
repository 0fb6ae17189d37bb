package io.eyewall.transport.fabric.link;

import io.eyewall.transport.fabric.link.frame.Hello;
import io.eyewall.transport.fabric.link.frame.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that both ends of a link must know. In its hello each end proves that it knows the secret, by a keyed hash (HMAC-SHA256) of
 * the link's purpose. The secret itself never leaves the process. Safe for any thread.
 *
 * <p>This keeps links of different purposes apart, and keeps out peers that cannot read the network. It does not encrypt, it does not
 * protect later frames, and a peer that reads a hello can replay it.
 */
public final class LinkSecret {

    private final byte[] connectingProof;
    private final byte[] listeningProof;

    /**
     * A secret.
     *
     * @param purpose what the link is for; both ends must give the same
     * @param secret may be empty; then both ends compare the purpose only
     */
    public LinkSecret(String purpose, String secret) {
        connectingProof = proof("connect " + purpose, secret);
        listeningProof = proof("listen " + purpose, secret);
    }

    /**
     * The proof that one end sends.
     *
     * @param connecting whether it is the end that connects
     */
    byte[] proof(boolean connecting) {
        return connecting ? connectingProof.clone() : listeningProof.clone();
    }

    /**
     * Checks the proof in the peer's hello.
     *
     * @param connecting whether the peer is the end that connects
     * @throws ProtocolException if the peer has another purpose or another secret
     */
    void check(Hello hello, boolean connecting) throws ProtocolException {
        if (!MessageDigest.isEqual(connecting ? connectingProof : listeningProof, hello.proof())) {
            throw new ProtocolException("the peer belongs to another topology or does not know the secret");
        }
    }

    private static byte[] proof(String text, String secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            // HMAC does not accept an empty key.
            mac.init(new SecretKeySpec(("eyewall " + secret).getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This Java runtime lacks HMAC-SHA256, which every runtime must have", e);
        }
    }
}
