package io.eyewall.integration.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * What figures were measured on, as the machine itself says it; without its name.
 */
final class Machine {

    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
    private static final Path MEMORY_INFO = Path.of("/proc/meminfo");

    private Machine() {
    }

    /** One line: cores, memory, kernel, JDK. */
    static String describe() throws IOException {
        double memoryGib = Double.parseDouble(field(MEMORY_INFO, "MemTotal", "0 kB").replace(" kB", "")) / (1 << 20);
        return String.format(Locale.ROOT, "%d cores (%s), %.0f GiB, %s %s, %s %s", Runtime.getRuntime().availableProcessors(),
            field(CPU_INFO, "model name", System.getProperty("os.arch")), memoryGib, System.getProperty("os.name"),
            System.getProperty("os.version"), System.getProperty("java.vm.name"), System.getProperty("java.vm.version"));
    }

    /** The value of the first line {@code name: value}. */
    private static String field(Path file, String name, String otherwise) throws IOException {
        return Files.readAllLines(file).stream().filter(line -> line.startsWith(name))
            .map(line -> line.substring(line.indexOf(':') + 1).strip()).findFirst().orElse(otherwise);
    }
}
