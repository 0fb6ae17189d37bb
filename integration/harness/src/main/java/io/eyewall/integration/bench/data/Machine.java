package io.eyewall.integration.bench.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The machine on which figures are measured, as it describes itself, without its name.
 */
public final class Machine {

    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
    private static final Path MEMORY_INFO = Path.of("/proc/meminfo");
    private static final Path STAT = Path.of("/proc/stat");
    /** The fields of the line {@code cpu} are its name, user, nice, system, idle, iowait, irq, softirq, steal. */
    private static final int STEAL_FIELD = 8;
    /** Linux counts CPU time in units of 10 ms. */
    public static final double TICKS_PER_SEC = 100;

    private Machine() {
    }

    /** One line: cores, memory, kernel without the name of its build, JDK. */
    public static String describe() throws IOException {
        double memoryGib = Double.parseDouble(field(MEMORY_INFO, "MemTotal", "0 kB").replace(" kB", "")) / (1 << 20);
        return String.format(Locale.ROOT, "%d cores (%s), %.0f GiB, %s %s, %s %s", Runtime.getRuntime().availableProcessors(),
            field(CPU_INFO, "model name", System.getProperty("os.arch")), memoryGib, System.getProperty("os.name"),
            System.getProperty("os.version").replaceFirst("-.*", ""), System.getProperty("java.vm.name"),
            System.getProperty("java.vm.version"));
    }

    /**
     * The stolen time since the machine started, in seconds per core: the time in which a thread was ready to run on a core, and the
     * hypervisor ran something else there. 0 on hardware without a hypervisor.
     */
    public static double stolenSecondsPerCore() throws IOException {
        return stolenSeconds(STAT) / Runtime.getRuntime().availableProcessors();
    }

    /** The same of all cores together, by a file as {@code /proc/stat}. */
    static double stolenSeconds(Path stat) throws IOException {
        String[] cpu = Files.readAllLines(stat).get(0).split(" +", -1);
        return Long.parseLong(cpu[STEAL_FIELD]) / TICKS_PER_SEC;
    }

    /** The value of the first line {@code name: value}. */
    private static String field(Path file, String name, String absent) throws IOException {
        return Files.readAllLines(file).stream().filter(line -> line.startsWith(name))
            .map(line -> line.substring(line.indexOf(':') + 1).strip()).findFirst().orElse(absent);
    }
}
