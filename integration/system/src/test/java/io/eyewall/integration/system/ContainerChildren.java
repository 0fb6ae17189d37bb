package io.eyewall.integration.system;

import io.eyewall.integration.cluster.WorkerProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The processes that a container has started, by their command lines. */
final class ContainerChildren {

    static final String STREAM_MANAGERS = "StreamManagerMain";
    static final String INSTANCES = "InstanceMain";

    /** Behind the main class of an instance: five words of the slot, the socket. */
    private static final int COMPONENT = 7;

    private ContainerChildren() {
    }

    /** The processes of a container with that main class, by pid: for an instance its component and id. */
    static Map<Long, String> of(WorkerProcess container, String main) {
        Map<Long, String> found = new TreeMap<>();
        ProcessHandle.of(container.pid()).stream().flatMap(ProcessHandle::descendants).forEach(process -> {
            List<String> words = commandLine(process.pid());
            int at = IntStream.range(0, words.size()).filter(i -> words.get(i).endsWith("." + main)).findFirst().orElse(-1);
            if (at >= 0) {
                found.put(process.pid(), main.equals(INSTANCES) ? words.get(at + COMPONENT) + "-" + words.get(at + COMPONENT + 1) : main);
            }
        });
        return found;
    }

    static List<String> commandLine(long pid) {
        try {
            return List.of(Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.ISO_8859_1).split("\0", 0));
        } catch (IOException gone) {
            return List.of();
        }
    }
}
