package io.eyewall.core.weaving;

import io.eyewall.core.nimbus.HeldRebalances;
import io.eyewall.core.nimbus.RebalanceCheck;
import io.eyewall.core.nimbus.SubmissionCheck;
import io.eyewall.core.security.CallerChecks;
import io.eyewall.core.security.FunctionQueues;
import io.eyewall.core.security.NimbusDelegates;
import io.eyewall.core.security.WorkerLaunchers;
import java.io.FileNotFoundException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.asm.Advice;
import org.apache.storm.blobstore.BlobStore;
import org.apache.storm.cluster.IStormClusterState;
import org.apache.storm.daemon.nimbus.Nimbus;
import org.apache.storm.daemon.nimbus.TopoCache;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.DRPCExecutionException;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.nimbus.ILeaderElector;
import org.apache.storm.security.auth.IPrincipalToLocal;
import org.apache.storm.thrift.TException;

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

    /** Before Nimbus returns the topologies of a user. */
    static final class HistoryAsked {
        private HistoryAsked() {
        }

        @Advice.OnMethodEnter
        static void enter(@Advice.This Nimbus nimbus, @Advice.Argument(0) String user,
                @Advice.FieldValue("principalToLocal") IPrincipalToLocal principalToLocal) throws AuthorizationException {
            CallerChecks.checkHistory(nimbus, user, principalToLocal);
        }
    }

    /** Before Nimbus notes that it has a blob. */
    static final class BlobNoted {
        private BlobNoted() {
        }

        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(0) String key, @Advice.FieldValue("conf") Map<String, Object> conf,
                @Advice.FieldValue("blobStore") BlobStore blobs,
                @Advice.FieldValue("principalToLocal") IPrincipalToLocal principalToLocal) throws TException {
            CallerChecks.checkNotedBlob(key, conf, blobs, principalToLocal);
        }
    }

    /** Before a Nimbus that shall lead looks for what topologies depend on. */
    static final class DependenciesMissed {
        private DependenciesMissed() {
        }

        @Advice.OnMethodExit
        @SuppressWarnings("UnusedVariable")
        static void exit(@Advice.FieldValue("clusterState") IStormClusterState state, @Advice.FieldValue("blobStore") BlobStore blobs,
                @Advice.Return(readOnly = false) Set<String> keys) {
            keys = NimbusDelegates.expected(keys, state, blobs);
        }
    }

    /** After a Nimbus has cleaned up behind topologies that have ended. */
    static final class CleanedUp {
        private CleanedUp() {
        }

        @Advice.OnMethodExit
        static void exit(@Advice.This Nimbus nimbus, @Advice.FieldValue("conf") Map<String, Object> conf,
                @Advice.FieldValue("leaderElector") ILeaderElector elector, @Advice.FieldValue("blobStore") BlobStore blobs,
                @Advice.FieldValue("stormClusterState") IStormClusterState state, @Advice.FieldValue("topoCache") TopoCache topologies) {
            NimbusDelegates.cleanedUp(nimbus, conf, elector, blobs, state, topologies);
        }
    }

    /** Before Nimbus computes assignments. */
    static final class Assigning {
        private Assigning() {
        }

        @Advice.OnMethodEnter
        @SuppressWarnings("UnusedVariable")
        static void enter(@Advice.This Nimbus nimbus, @Advice.Argument(value = 0, readOnly = false) String topology,
                @Advice.FieldValue("leaderElector") ILeaderElector elector) throws Exception {
            topology = HeldRebalances.begin(nimbus, topology, elector.isLeader());
        }
    }

    /** After Nimbus has computed assignments. */
    static final class Assigned {
        private Assigned() {
        }

        @Advice.OnMethodExit
        static void exit(@Advice.This Nimbus nimbus, @Advice.Argument(2) String topology) {
            HeldRebalances.end(nimbus, topology);
        }
    }

    /** Before Nimbus accepts a topology. */
    static final class Submitting {
        private Submitting() {
        }

        @Advice.OnMethodEnter
        static void enter(@Advice.Argument(2) String topologyConf, @Advice.Argument(3) StormTopology topology)
                throws InvalidTopologyException {
            SubmissionCheck.check(topologyConf, topology);
        }
    }

    /**
     * When a Supervisor has looked for the blobs of a topology that it has not downloaded yet. Upstream's Supervisor is prepared for a
     * {@link FileNotFoundException}, and halts at the exception that its library throws today (STORM-3523).
     */
    static final class BlobsMissing {
        private BlobsMissing() {
        }

        @Advice.OnMethodExit(onThrowable = NoSuchFileException.class)
        @SuppressWarnings("UnusedVariable")
        static void exit(@Advice.Thrown(readOnly = false) Throwable thrown) {
            if (thrown != null) {
                thrown = new FileNotFoundException(thrown.getMessage());
            }
        }
    }
}
