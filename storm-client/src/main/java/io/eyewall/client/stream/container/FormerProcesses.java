package io.eyewall.client.stream.container;

import io.eyewall.client.stream.instance.InstanceMain;
import io.eyewall.client.stream.manager.StreamManagerMain;
import io.eyewall.client.stream.slot.Slot;
import io.eyewall.client.time.NanoClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes that a former container of a slot has left behind. A Supervisor knows only the container, and starts the next one as soon
 * as a container has died. Its stream manager and its instances notice its death and end by themselves; an instance that stands still does
 * not. If the next container started its own processes meanwhile, a task could run twice.
 *
 * <p>They are found by their command lines, in {@code /proc}. Where there is none, none are found. Used by one thread.
 */
final class FormerProcesses {

    private static final Logger LOG = LoggerFactory.getLogger(FormerProcesses.class);
    private static final Set<String> MAINS = Set.of(InstanceMain.class.getName(), StreamManagerMain.class.getName());
    private static final Path PROC = Path.of("/proc");
    private static final long LOOK_MS = 100;
    /** Where the {@linkplain Slot#arguments arguments} of a slot have what says whose they are. */
    private static final int SUPERVISOR = 1;
    private static final int PORT = 3;
    private static final int WORKER = 4;

    private final Slot slot;
    private final NanoClock clock;

    /** Those of the slot that are not of the worker that it names. */
    FormerProcesses(Slot slot, NanoClock clock) {
        this.slot = slot;
        this.clock = clock;
    }

    /**
     * Returns when they have ended. Those that have not ended by themselves after a time are killed.
     *
     * @param ending no longer waits when that is reached
     */
    void awaitEnd(long patienceNs, CountDownLatch ending) throws InterruptedException {
        List<ProcessHandle> left = find();
        if (left.isEmpty()) {
            return;
        }
        LOG.info("A former container of this slot has died, and these of its processes have not ended so far: {}. Waiting for them.", left);
        long sinceNs = clock.nanoTime();
        boolean areKilled = false;
        while (!left.isEmpty() && !ending.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
            left.removeIf(process -> !isFormer(process.pid()));
            if (!areKilled && !left.isEmpty() && clock.nanoTime() - sinceNs > patienceNs) {
                LOG.warn("These processes of a former container of this slot have not ended for {} s, and are killed: {}.",
                    TimeUnit.NANOSECONDS.toSeconds(patienceNs), left);
                left.forEach(ProcessHandle::destroyForcibly);
                areKilled = true;
            }
        }
    }

    private List<ProcessHandle> find() {
        return ProcessHandle.allProcesses().filter(process -> isFormer(process.pid())).collect(Collectors.toCollection(ArrayList::new));
    }

    /** Whether a process is one of them. It has no command line any more when it has ended and its parent has not noticed. */
    private boolean isFormer(long pid) {
        Path directory = PROC.resolve(String.valueOf(pid));
        try {
            return Files.getOwner(directory).equals(Files.getOwner(PROC.resolve("self")))
                && isFormer(List.of(Files.readString(directory.resolve("cmdline"), StandardCharsets.ISO_8859_1).split("\0")));
        } catch (IOException e) {
            return false; // It has ended.
        }
    }

    /** Whether this is the command of a process of the slot, and of another worker. Only what Eyewall starts has such a command. */
    boolean isFormer(List<String> command) {
        for (int main = 0; main + Slot.ARGUMENTS < command.size(); main++) {
            if (MAINS.contains(command.get(main))) {
                List<String> other = command.subList(main + 1, main + 1 + Slot.ARGUMENTS);
                return other.get(SUPERVISOR).equals(slot.supervisorId()) && other.get(PORT).equals(String.valueOf(slot.port()))
                    && !other.get(WORKER).equals(slot.workerId());
            }
        }
        return false;
    }
}
