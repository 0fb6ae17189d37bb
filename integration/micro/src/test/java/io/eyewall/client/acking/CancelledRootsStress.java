package io.eyewall.client.acking;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** What the executors of a worker learn from each other about cancelled trees. */
public final class CancelledRootsStress {

    private static final long ONE = 4;
    private static final long OTHER = 8;
    private static final long NEITHER = 12;
    private static final long LIFETIME_NS = 10;

    private CancelledRootsStress() {
    }

    /** Two executors cancel something when nothing was cancelled before, so that each of them would begin the table. */
    @JCStressTest
    @Outcome(id = "true, true, false", expect = ACCEPTABLE, desc = "both, and nothing else")
    @Outcome(expect = FORBIDDEN, desc = "forgotten, or never cancelled")
    @State
    public static class BothRemembered {
        private final CancelledRoots roots = new CancelledRoots(() -> 0, LIFETIME_NS);

        @Actor
        public void one() {
            roots.add(ONE);
        }

        @Actor
        public void other() {
            roots.add(OTHER);
        }

        @Arbiter
        public void remembered(ZZZ_Result result) {
            result.r1 = roots.contains(ONE);
            result.r2 = roots.contains(OTHER);
            result.r3 = roots.contains(NEITHER);
        }
    }

    /** One looks while another begins a new table in the place of one that is not too old yet. */
    @JCStressTest
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "what was cancelled, and nothing else")
    @Outcome(expect = FORBIDDEN, desc = "forgotten too early, or never cancelled")
    @State
    public static class RememberedMeanwhile {
        private long nowNs;
        private final CancelledRoots roots = new CancelledRoots(() -> nowNs, LIFETIME_NS);

        public RememberedMeanwhile() {
            roots.add(ONE);
            nowNs = LIFETIME_NS;
        }

        @Actor
        public void canceller() {
            roots.add(OTHER);
        }

        @Actor
        public void executor(ZZ_Result result) {
            result.r1 = roots.contains(ONE);
            result.r2 = roots.contains(NEITHER);
        }
    }
}
