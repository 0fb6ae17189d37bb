package io.eyewall.core.weaving;

import io.eyewall.core.nimbus.RebalanceCheck;
import io.eyewall.core.security.FunctionQueues;
import io.eyewall.core.security.NimbusDelegates;
import io.eyewall.core.security.WorkerLaunchers;
import java.util.Map;
import net.bytebuddy.asm.Advice;
import org.apache.storm.generated.DRPCExecutionException;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.generated.StormTopology;

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

    /** Before a Supervisor is made. */
    static final class SupervisorMade {
        private SupervisorMade() {
        }

        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(0) Map<String, Object> conf) {
            WorkerLaunchers.check(conf);
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

    /** Before Nimbus returns a topology. */
    static final class TopologyServed {
        private TopologyServed() {
        }

        @Advice.OnMethodExit
        @SuppressWarnings("UnusedVariable")
        static void exit(@Advice.FieldValue("conf") Map<String, Object> conf,
                @Advice.Return(readOnly = false) StormTopology topology) {
            topology = NimbusDelegates.served(topology, conf);
        }
    }
}
