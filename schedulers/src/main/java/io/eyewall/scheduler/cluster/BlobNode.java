package io.eyewall.scheduler.cluster;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.utils.Utils;

/**
 * What the node of a blob in ZooKeeper has: the blob's contents and access control, compressed. Of contents that are too large for a node,
 * it has the digest. Immutable.
 */
final class BlobNode {

    /** The most that a node can hold, in bytes. ZooKeeper's own limit on requests, {@code jute.maxbuffer}, is a little more. */
    static final int MAX_BYTES = 1_000_000;

    /** The first byte, uncompressed, of a node with contents. Later versions may read it, so it must not change. */
    private static final int CONTENTS = 1;
    /** The first byte of a node with a digest. */
    private static final int DIGEST = 2;

    private final long modification;
    private final int kind;
    private final SettableBlobMeta meta;
    private final byte[] bytes;

    private BlobNode(long modification, int kind, SettableBlobMeta meta, byte[] bytes) {
        this.modification = modification;
        this.kind = kind;
        this.meta = meta;
        this.bytes = bytes;
    }

    /**
     * Reads a node; what Storm has written is one without contents.
     *
     * @param modification the id that ZooKeeper has given to the write of the data
     */
    static BlobNode of(byte[] data, long modification) {
        boolean isCompressed = data != null && data.length > 1
            && ((data[0] & 0xff) | (data[1] & 0xff) << 8) == GZIPInputStream.GZIP_MAGIC;
        if (!isCompressed) {
            return new BlobNode(modification, 0, null, null);
        }
        try (DataInputStream in = new DataInputStream(new GZIPInputStream(new ByteArrayInputStream(data)))) {
            int kind = in.readUnsignedByte();
            if (kind != CONTENTS && kind != DIGEST) {
                throw new IllegalStateException("A later version has written the node of a blob. Upgrade this Nimbus, too.");
            }
            SettableBlobMeta meta = Utils.thriftDeserialize(SettableBlobMeta.class, in.readNBytes(in.readInt()));
            return new BlobNode(modification, kind, meta, in.readAllBytes());
        } catch (IOException e) {
            throw new IllegalStateException("The node of a blob is damaged: " + e.getMessage(), e);
        }
    }

    /** The node of a blob with these contents and this access control. */
    static byte[] bytes(SettableBlobMeta meta, byte[] contents) {
        byte[] whole = bytes(CONTENTS, meta, contents);
        return whole.length <= MAX_BYTES ? whole : bytes(DIGEST, meta, digest(contents));
    }

    /** The id that ZooKeeper has given to the write of this node. */
    long modification() {
        return modification;
    }

    /** Whether it says what the newest contents are. If not, every Nimbus has those with which the blob was created. */
    boolean isWritten() {
        return kind != 0;
    }

    /** Whether it has the contents themselves. */
    boolean isWhole() {
        return kind == CONTENTS;
    }

    /** The contents of a node that is whole. */
    byte[] contents() {
        return bytes.clone();
    }

    /** The access control of a node that is written. */
    SettableBlobMeta meta() {
        return meta;
    }

    /** Whether these are the newest contents; of a node that has a digest. */
    boolean isOf(byte[] contents) {
        return MessageDigest.isEqual(bytes, digest(contents));
    }

    private static byte[] bytes(int kind, SettableBlobMeta meta, byte[] rest) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(new GZIPOutputStream(compressed))) {
            byte[] access = Utils.thriftSerialize(meta);
            out.writeByte(kind);
            out.writeInt(access.length);
            out.write(access);
            out.write(rest);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return compressed.toByteArray();
    }

    private static byte[] digest(byte[] contents) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(contents);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
