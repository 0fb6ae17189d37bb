package io.eyewall.client.blob;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.storm.generated.KeyNotFoundException;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.thrift.TException;

/** Reads a blob from Nimbus into memory. */
public final class SmallBlob {

    /** The length of the longest blob that is read. */
    public static final int MAX_BYTES = 16 << 20;

    private SmallBlob() {
    }

    /**
     * The contents of a blob, as they were when the download began.
     *
     * @return empty if there is no such blob
     * @throws TException if Nimbus does not answer or refuses, or if the blob is longer than {@link #MAX_BYTES}
     */
    public static Optional<byte[]> read(Nimbus.Iface nimbus, String key) throws TException {
        try {
            String session = nimbus.beginBlobDownload(key).get_session();
            ByteArrayOutputStream contents = new ByteArrayOutputStream();
            // Nimbus closes the blob behind an empty chunk.
            for (ByteBuffer chunk = nimbus.downloadBlobChunk(session); chunk.hasRemaining(); chunk = nimbus.downloadBlobChunk(session)) {
                if (contents.size() + chunk.remaining() > MAX_BYTES) {
                    throw new TException("Blob " + key + " is longer than " + MAX_BYTES + " bytes, so it is not one of Eyewall's reports,"
                        + " logs or commands. Remove it: storm blobstore delete " + key);
                }
                byte[] bytes = new byte[chunk.remaining()];
                chunk.get(bytes);
                contents.writeBytes(bytes);
            }
            return Optional.of(contents.toByteArray());
        } catch (KeyNotFoundException none) {
            return Optional.empty();
        }
    }

    /** The same for a text. */
    public static Optional<String> text(Nimbus.Iface nimbus, String key) throws TException {
        return read(nimbus, key).map(contents -> new String(contents, StandardCharsets.UTF_8));
    }
}
