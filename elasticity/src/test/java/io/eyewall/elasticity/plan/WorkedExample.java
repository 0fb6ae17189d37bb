package io.eyewall.elasticity.plan;

import static io.eyewall.elasticity.plan.SnapshotBuilder.rates;

/**
 * Figure 2.2 of Xu's thesis: ten operators of two executors each on four machines, and a fifth machine to grow to. The text of the thesis
 * gives the rates of the sinks (4: 2,000, 7 and 8: 1,000 each, 9 and 10 together 500), the congested operators 1, 3, 4 and 6, and the
 * congestion rate of 1. The other rates are chosen to be consistent with these.
 */
final class WorkedExample {

    static final CongestionConfiguration CONFIGURATION = new CongestionConfiguration(1, 0.9);

    private WorkedExample() {
    }

    static SnapshotBuilder snapshot() {
        SnapshotBuilder builder = new SnapshotBuilder("figure-2-2")
            .operator("1", 2, 4, rates(6_000, 5_000, 6_500))
            .operator("2", 2, 4, rates(2_500, 2_500, 2_500))
            .operator("3", 2, 4, rates(4_000, 3_000, 3_000))
            .operator("4", 2, 4, rates(2_500, 2_000, 0))
            .operator("5", 2, 4, rates(2_000, 2_000, 2_000))
            .operator("6", 2, 4, rates(1_000, 500, 500))
            .operator("7", 2, 4, rates(1_000, 1_000, 0))
            .operator("8", 2, 4, rates(1_000, 1_000, 0))
            .operator("9", 2, 4, rates(300, 300, 0))
            .operator("10", 2, 4, rates(200, 200, 0))
            .link("1", "2", 2_500)
            .link("1", "3", 4_000)
            .link("2", "4", 2_500)
            .link("3", "5", 2_000)
            .link("3", "6", 1_000)
            .link("5", "7", 1_000)
            .link("5", "8", 1_000)
            .link("6", "9", 300)
            .link("6", "10", 200);
        for (int i = 1; i <= 4; i++) {
            builder.host("m" + i, 1, Double.POSITIVE_INFINITY);
        }
        return builder.machine("m5", 4, Double.POSITIVE_INFINITY);
    }
}
