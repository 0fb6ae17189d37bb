package io.eyewall.integration.cluster;

/**
 * Hosts of supervisors: each has a network namespace and an address of its own, which needs root.
 *
 * @param clocksApart whether their monotonic clocks differ, as far as the kernel has time namespaces
 * @param cores how much each may compute, as {@link CpuLimit} has it; 0 for as much as this machine can
 */
public record Hosts(boolean clocksApart, double cores) {

    /** Clocks that differ, no limits. */
    public static final Hosts APART = new Hosts(true, 0);
}
