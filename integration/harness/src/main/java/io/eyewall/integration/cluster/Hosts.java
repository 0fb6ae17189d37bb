package io.eyewall.integration.cluster;

/**
 * The properties of the supervisors' hosts besides a network namespace and an address. All of them need root.
 *
 * @param clocksApart whether their monotonic clocks differ, where the kernel has time namespaces
 * @param cores the {@link CpuLimit} of each; 0 for none
 */
public record Hosts(boolean clocksApart, double cores) {

    /** Hosts with clocks that differ, and without limits. */
    public static final Hosts APART = new Hosts(true, 0);
}
