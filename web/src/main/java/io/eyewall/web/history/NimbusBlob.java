package io.eyewall.web.history;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.storm.generated.KeyNotFoundException;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.thrift.TException;

/** Reads texts that Nimbus keeps as blobs. */
public final class NimbusBlob {

    private NimbusBlob() {
    }

    /** The text of a blob; empty if there is no such blob. */
    public static Optional<String> read(Nimbus.Iface nimbus, String key) throws TException {
        try {
            String session = nimbus.beginBlobDownload(key).get_session();
            ByteArrayOutputStream contents = new ByteArrayOutputStream();
            // Nimbus closes the blob behind an empty chunk.
            for (ByteBuffer chunk = nimbus.downloadBlobChunk(session); chunk.hasRemaining(); chunk = nimbus.downloadBlobChunk(session)) {
                byte[] bytes = new byte[chunk.remaining()];
                chunk.get(bytes);
                contents.writeBytes(bytes);
            }
            return Optional.of(contents.toString(StandardCharsets.UTF_8));
        } catch (KeyNotFoundException none) {
            return Optional.empty();
        }
    }
}
