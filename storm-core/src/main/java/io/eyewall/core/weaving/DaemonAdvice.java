package io.eyewall.core.weaving;

import io.eyewall.core.nimbus.RebalanceCheck;
import io.eyewall.core.security.FunctionQueues;
import net.bytebuddy.asm.Advice;
import org.apache.storm.generated.DRPCExecutionException;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.RebalanceOptions;

/** Code that is inlined into upstream's daemons. */
final class DaemonAdvice {

    private DaemonAdvice() {
    }

    /** Before Nimbus rebalances a topology. */
    static final class Rebalancing {
        private Rebalancing() {
        }

        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(1) RebalanceOptions options) throws InvalidTopologyException {
            RebalanceCheck.check(options);
        }
    }

    /** Before a function is called. */
    static final class FunctionCalled {
        private FunctionCalled() {
        }

        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(0) String function) throws DRPCExecutionException {
            FunctionQueues.checkName(function);
        }
    }
}
