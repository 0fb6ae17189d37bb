package io.eyewall.integration.bench;

import io.eyewall.integration.bench.data.Machine;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The JIT compiler threads of a HotSpot JVM, as Linux shows them. While they work, a topology is slower than it will be, and shares its
 * cores with them.
 */
final class CompilerThreads {

    /** Linux keeps 15 characters of a thread's name. */
    private static final String NAME_PATTERN = "C[12] CompilerThre.*";

    private CompilerThreads() {
    }

    /** CPU seconds that the compiler threads of a process have used, except in threads that have ended; 0 if there is no such process. */
    static double cpuSeconds(long pid) throws IOException {
        double sum = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(Path.of("/proc", String.valueOf(pid), "task"))) {
            for (Path thread : threads) {
                sum += cpuSeconds(thread);
            }
        } catch (NoSuchFileException e) {
            return 0;
        }
        return sum;
    }

    private static double cpuSeconds(Path thread) {
        String stat;
        try {
            stat = Files.readString(thread.resolve("stat"));
        } catch (IOException e) {
            // The thread ended after it was listed.
            return 0;
        }
        String name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
        if (!name.matches(NAME_PATTERN)) {
            return 0;
        }
        // After the name in brackets: user and system time are the 12th and 13th field.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / Machine.TICKS_PER_SEC;
    }
}
