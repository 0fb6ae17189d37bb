package io.eyewall.client.substitute;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** That a thread never gets another one's value, however they overwrite each other's. */
public final class CachedThreadLocalStress {

    private CachedThreadLocalStress() {
    }

    /** Two threads ask at the same time, and again. */
    @JCStressTest
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "each its own")
    @Outcome(expect = FORBIDDEN, desc = "another thread's")
    @State
    public static class OwnValue {
        @SuppressWarnings("ThreadLocalUsage") // A new one for each try.
        private final CachedThreadLocal<Thread> variable = new CachedThreadLocal<>(Thread::currentThread);

        @Actor
        public void one(ZZ_Result own) {
            own.r1 = isOwnTwice();
        }

        @Actor
        public void other(ZZ_Result own) {
            own.r2 = isOwnTwice();
        }

        private boolean isOwnTwice() {
            Thread first = variable.get();
            Thread again = variable.get();
            return first == Thread.currentThread() && again == first;
        }
    }
}
