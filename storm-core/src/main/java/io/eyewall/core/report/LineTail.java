package io.eyewall.core.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The complete lines of a text file that may still grow. A line without its line feed is not read yet.
 *
 * <p>If a file has become shorter, its writer has restarted and begun anew; the file is then read from its start.
 */
final class LineTail {

    /** A line without its line feed; {@code number} counts from 1. */
    record Line(long number, String text) {
    }

    private static final int CHUNK_BYTES = 1 << 16;
    private static final int MAX_LINE_BYTES = 1 << 24;

    private final Path file;
    private final ByteArrayOutputStream unfinished = new ByteArrayOutputStream();
    private long offset;
    private long lineNumber;

    LineTail(Path file) {
        this.file = file;
    }

    /** The lines that were completed since the last call. */
    List<Line> poll() throws IOException {
        List<Line> lines = new ArrayList<>();
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            if (channel.size() < offset) {
                startOver();
            }
            channel.position(offset);
            ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
            while (channel.read(chunk) > 0) {
                offset += chunk.position();
                split(chunk.flip(), lines);
                chunk.clear();
            }
        }
        return lines;
    }

    /** Whether the file ends in a line without line feed, as of the last {@link #poll()}. */
    boolean endsUnfinished() {
        return unfinished.size() > 0;
    }

    /** The number of the last complete line; 0 before the first. */
    long lineNumber() {
        return lineNumber;
    }

    private void startOver() {
        offset = 0;
        lineNumber = 0;
        unfinished.reset();
    }

    private void split(ByteBuffer chunk, List<Line> lines) throws BadFileException {
        while (chunk.hasRemaining()) {
            byte next = chunk.get();
            if (next != '\n') {
                unfinished.write(next);
            } else {
                lineNumber++;
                lines.add(new Line(lineNumber, unfinished.toString(UTF_8).stripTrailing()));
                unfinished.reset();
            }
        }
        if (unfinished.size() > MAX_LINE_BYTES) {
            throw new BadFileException(file, lineNumber + 1, "no end of line within " + MAX_LINE_BYTES + " bytes: not a text file");
        }
    }
}
