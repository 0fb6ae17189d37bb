package io.eyewall.integration.cluster;

/**
 * What the hosts of supervisors have beside a network namespace and an address, which need root.
 *
 * @param clocksApart whether their monotonic clocks differ, where the kernel has time namespaces
 * @param cores the {@link CpuLimit} of each; 0 for none
 */
public record Hosts(boolean clocksApart, double cores) {

    /** Clocks that differ, and no limits. */
    public static final Hosts APART = new Hosts(true, 0);
}
