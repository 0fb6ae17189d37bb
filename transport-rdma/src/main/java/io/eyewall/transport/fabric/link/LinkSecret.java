package io.eyewall.transport.fabric.link;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What both ends of a link must know. Each end sends a proof of it in its first frame: a keyed hash (HMAC-SHA256) of the purpose, so that
 * the secret itself never leaves the process.
 *
 * <p>This keeps links of different purposes apart and strangers out who cannot read the network. It does not encrypt, it does not protect
 * what follows the first frame, and whoever reads a first frame can repeat it.
 */
public final class LinkSecret {

    static final int PROOF_BYTES = 32;

    private final byte[] connectingProof;
    private final byte[] listeningProof;

    /**
     * A secret.
     *
     * @param purpose what the link is for; both ends must name the same
     * @param secret may be empty, then only the purpose is compared
     */
    public LinkSecret(String purpose, String secret) {
        connectingProof = proof("connect " + purpose, secret);
        listeningProof = proof("listen " + purpose, secret);
    }

    byte[] connectingProof() {
        return connectingProof.clone();
    }

    byte[] listeningProof() {
        return listeningProof.clone();
    }

    boolean isConnectingProof(byte[] proof) {
        return MessageDigest.isEqual(connectingProof, proof);
    }

    boolean isListeningProof(byte[] proof) {
        return MessageDigest.isEqual(listeningProof, proof);
    }

    private static byte[] proof(String text, String secret) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            // A key must not be empty.
            mac.init(new SecretKeySpec(("eyewall " + secret).getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HMAC-SHA256, which every Java runtime must have, is missing", e);
        }
    }
}
