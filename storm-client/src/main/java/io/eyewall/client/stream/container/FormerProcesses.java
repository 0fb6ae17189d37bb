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
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes that dead containers of a slot, or of a topology on its Supervisor, have left behind. A Supervisor knows only the
 * container, and starts the next one, in the same slot or in another one, as soon as a container has died. Its stream manager and its
 * instances notice its death and end by themselves; an instance that stands still does not. If the next container started its own processes
 * meanwhile, a task could run twice.
 *
 * <p>They are found by their command lines, in {@code /proc}. Where there is none, none are found. Used by one thread.
 */
final class FormerProcesses {

    private static final Logger LOG = LoggerFactory.getLogger(FormerProcesses.class);
    private static final Set<String> MAINS = Set.of(InstanceMain.class.getName(), StreamManagerMain.class.getName());
    private static final Path PROC = Path.of("/proc");
    private static final long LOOK_MS = 100;
    private static final long KILL_NS = TimeUnit.SECONDS.toNanos(5);
    /** Where the {@linkplain Slot#arguments arguments} of a slot have what says whose they are. */
    private static final int TOPOLOGY = 0;
    private static final int SUPERVISOR = 1;
    private static final int PORT = 3;
    private static final int WORKER = 4;

    private final Slot slot;
    private final NanoClock clock;

    /** Those of other workers: in the slot, or of its topology in another slot of its Supervisor. */
    FormerProcesses(Slot slot, NanoClock clock) {
        this.slot = slot;
        this.clock = clock;
    }

    /**
     * Returns when they have ended. Those that have not ended by themselves after a time are killed. The kernel may take long to end a
     * process that waits for a device; it runs no code of the topology's any more, and is waited for 5 s.
     *
     * @param ending no longer waits when that is reached
     */
    void awaitEnd(long patienceNs, CountDownLatch ending) throws InterruptedException {
        List<ProcessHandle> left = find();
        if (left.isEmpty()) {
            return;
        }
        LOG.info("These processes of containers that have died have not ended so far: {}. Waiting for them.", left);
        if (!haveEnded(left, patienceNs, ending)) {
            LOG.warn("These processes of containers that have died have not ended for {} s, and are killed: {}.",
                TimeUnit.NANOSECONDS.toSeconds(patienceNs), left);
            left.forEach(ProcessHandle::destroyForcibly);
            if (!haveEnded(left, KILL_NS, ending)) {
                LOG.warn("These processes have been killed, and the kernel has not ended them so far: {}.", left);
            }
        }
    }

    /** Waits for at most that time; returns whether nothing is to be waited for any more. Removes those that have ended. */
    private boolean haveEnded(List<ProcessHandle> left, long atMostNs, CountDownLatch ending) throws InterruptedException {
        long sinceNs = clock.nanoTime();
        while (!left.isEmpty() && clock.nanoTime() - sinceNs <= atMostNs) {
            if (ending.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
                return true;
            }
            left.removeIf(process -> !isFormer(process));
        }
        return left.isEmpty();
    }

    private List<ProcessHandle> find() {
        return ProcessHandle.allProcesses().filter(this::isFormer).collect(Collectors.toCollection(ArrayList::new));
    }

    private boolean isFormer(ProcessHandle process) {
        try {
            return Files.getOwner(directory(process)).equals(Files.getOwner(PROC.resolve("self")))
                && isFormer(command(process), () -> process.parent().map(FormerProcesses::command).orElse(List.of()));
        } catch (IOException e) {
            return false; // It has ended.
        }
    }

    private static Path directory(ProcessHandle process) {
        return PROC.resolve(String.valueOf(process.pid()));
    }

    /** The command line of a process, or nothing if it has ended. That is so before its parent has noticed. */
    private static List<String> command(ProcessHandle process) {
        try {
            return List.of(Files.readString(directory(process).resolve("cmdline"), StandardCharsets.ISO_8859_1).split("\0"));
        } catch (IOException e) {
            return List.of();
        }
    }

    /**
     * Whether these are the commands of a process of another worker in the slot, or of one of the topology in another slot whose container
     * has died, and of its parent. Only what Eyewall starts has such a command. The arguments of a container are those of its processes.
     */
    boolean isFormer(List<String> command, Supplier<List<String>> parent) {
        for (int main = 0; main + Slot.ARGUMENTS < command.size(); main++) {
            if (MAINS.contains(command.get(main))) {
                List<String> other = command.subList(main + 1, main + 1 + Slot.ARGUMENTS);
                boolean isOfSlot = other.get(PORT).equals(String.valueOf(slot.port()));
                return other.get(SUPERVISOR).equals(slot.supervisorId()) && !other.get(WORKER).equals(slot.workerId())
                    && (isOfSlot || (other.get(TOPOLOGY).equals(slot.topologyId()) && Collections.indexOfSubList(parent.get(), other) < 0));
            }
        }
        return false;
    }
}
