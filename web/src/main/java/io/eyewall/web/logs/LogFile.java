package io.eyewall.web.logs;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.GZIPInputStream;

/**
 * A file that exists below the directory it was looked for in. Immutable.
 *
 * @param path the real one, behind all links
 * @param name as it is asked for: {@code TOPOLOGY/PORT/FILE} for a worker's, a plain name for a daemon's
 * @param owner the worker whose file it is; null for a daemon's
 */
record LogFile(Path path, String name, WorkerDirectory owner) {

    private static final String COMPRESSED = ".gz";

    /** The last part of the name. */
    String fileName() {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    /** In bytes, as it lies on the disk. */
    long size() throws IOException {
        return Files.size(path);
    }

    /** Whether the text is within a compressed file, so that its length is not known. */
    boolean compressed() {
        return name.endsWith(COMPRESSED);
    }

    /** The bytes on the disk. A link that has taken the file's place since it was found is not followed. */
    InputStream bytes() throws IOException {
        return Files.newInputStream(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
    }

    /** The text, decompressed where it is compressed. */
    InputStream text() throws IOException {
        InputStream bytes = bytes();
        try {
            return compressed() ? new BufferedInputStream(new GZIPInputStream(bytes)) : bytes;
        } catch (IOException e) {
            bytes.close();
            throw e;
        }
    }
}
