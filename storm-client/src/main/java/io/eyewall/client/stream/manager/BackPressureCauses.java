package io.eyewall.client.stream.manager;

import io.eyewall.client.stream.plan.Instance;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which instances of a container cause back-pressure, since when, and for how long in all. An instance counts as a cause until it has
 * caused none for three seconds: it often keeps up for a moment when its senders have just been stopped. Used by one thread.
 */
final class BackPressureCauses {

    private static final Logger LOG = LoggerFactory.getLogger(BackPressureCauses.class);
    private static final int LOOKS_UNTIL_OVER = 3;

    private final String effect;
    private final Map<Integer, Cause> causes = new TreeMap<>();

    /** What is known of one instance. */
    private static final class Cause {
        private String name = "";
        private boolean isHeld;
        /** Up to when {@link #totalNs} counts. */
        private long countedNs;
        private long totalNs;
        private boolean isInSpell;
        private long spellSinceNs;
        private long seenTotalNs;
        private int quietLooks;

        void count(long nowNs) {
            totalNs += isHeld ? nowNs - countedNs : 0;
            countedNs = nowNs;
        }
    }

    /** {@code effect} says in the log what follows from it. */
    BackPressureCauses(String effect) {
        this.effect = effect;
    }

    /** These tasks of the container cannot keep up from now on, and do not only wait for others. */
    void changed(Set<Integer> heldTasks, Collection<Instance> instances, long nowNs) {
        for (Instance instance : instances) {
            boolean isHeld = instance.tasks().stream().anyMatch(heldTasks::contains);
            if (isHeld || causes.containsKey(instance.id())) {
                Cause cause = causes.computeIfAbsent(instance.id(), added -> new Cause());
                cause.name = instance.name();
                cause.count(nowNs);
                cause.isHeld = isHeld;
            }
        }
        causes.keySet().retainAll(instances.stream().map(Instance::id).toList());
    }

    /** Logs whose time has begun or ended; called every second. */
    void logChanges(long nowNs) {
        for (Cause cause : causes.values()) {
            cause.count(nowNs);
            cause.quietLooks = cause.totalNs == cause.seenTotalNs ? cause.quietLooks + 1 : 0;
            if (!cause.isInSpell && cause.quietLooks == 0) {
                cause.isInSpell = true;
                cause.spellSinceNs = nowNs;
                LOG.warn("The instance {} cannot keep up: {}.", cause.name, effect);
            } else if (cause.isInSpell && cause.quietLooks == LOOKS_UNTIL_OVER) {
                cause.isInSpell = false;
                LOG.info("The instance {} keeps up again, after {} s. It has caused back-pressure for {} ms in all.", cause.name,
                    TimeUnit.NANOSECONDS.toSeconds(nowNs - cause.spellSinceNs), TimeUnit.NANOSECONDS.toMillis(cause.totalNs));
            }
            cause.seenTotalNs = cause.totalNs;
        }
    }

    /**
     * The container's page: a line for each instance that has caused back-pressure, with its id, for how many milliseconds it has caused
     * it now (at least 1, or 0 if it does not), and the total in milliseconds, separated by tabs.
     */
    String page(long nowNs) {
        StringBuilder page = new StringBuilder();
        causes.forEach((id, cause) -> {
            if (cause.totalNs > 0 || cause.isInSpell) {
                long spellMs = cause.isInSpell ? Math.max(1, TimeUnit.NANOSECONDS.toMillis(nowNs - cause.spellSinceNs)) : 0;
                page.append(id).append('\t').append(spellMs).append('\t').append(TimeUnit.NANOSECONDS.toMillis(cause.totalNs)).append('\n');
            }
        });
        return page.toString();
    }
}
