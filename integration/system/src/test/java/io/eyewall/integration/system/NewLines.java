package io.eyewall.integration.system;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads what a topology appends to its files, each line once. The topology may be writing. Not thread safe. */
final class NewLines {

    private static final String SUFFIX = ".txt";
    private static final int CHUNK_BYTES = 1 << 20;

    private final Path directory;
    /** How many bytes of each file have been read. */
    private final Map<Path, Long> read = new HashMap<>();
    private final byte[] chunk = new byte[CHUNK_BYTES];

    /** Of the files of a directory, which need not exist yet. */
    NewLines(Path directory) {
        this.directory = directory;
    }

    /** Hands on the name of the file, without its suffix, and the line, for each line that has been completed since the last call. */
    void forEach(BiConsumer<String, String> taker) {
        try (Stream<Path> all = Files.list(directory)) {
            for (Path file : all.filter(each -> each.toString().endsWith(SUFFIX)).sorted().toList()) {
                read(file, taker);
            }
        } catch (NoSuchFileException notYet) {
            // Nothing has been written.
            return;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the files in " + directory, e);
        }
    }

    /** The names, without their suffixes, of the files that there were at the last call, those without a complete line included. */
    Set<String> files() {
        return read.keySet().stream().map(NewLines::name).collect(Collectors.toSet());
    }

    private static String name(Path file) {
        String fileName = file.getFileName().toString();
        return fileName.substring(0, fileName.length() - SUFFIX.length());
    }

    private void read(Path file, BiConsumer<String, String> taker) throws IOException {
        String name = name(file);
        long position = read.getOrDefault(file, 0L);
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
            int complete;
            do {
                open.seek(position);
                int length = Math.max(0, open.read(chunk));
                complete = 0;
                for (int at = 0; at < length; at++) {
                    if (chunk[at] == '\n') {
                        taker.accept(name, new String(chunk, complete, at - complete, StandardCharsets.UTF_8));
                        complete = at + 1;
                    }
                }
                position += complete;
            } while (complete > 0);
        }
        read.put(file, position);
    }
}
