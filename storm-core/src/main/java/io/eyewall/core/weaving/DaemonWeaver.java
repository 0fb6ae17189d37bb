package io.eyewall.core.weaving;

import static net.bytebuddy.matcher.ElementMatchers.isConstructor;
import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import io.eyewall.client.engine.LocalTransport;
import io.eyewall.client.weaving.Seam;
import io.eyewall.client.weaving.Weaver;
import io.eyewall.core.hot.AnnouncementNodes;
import io.eyewall.core.nimbus.DecoratedSchedulers;
import io.eyewall.core.nimbus.LocalSupervisors;
import io.eyewall.core.nimbus.NimbusParts;
import io.eyewall.core.nimbus.ProfileDelegates;
import io.eyewall.core.security.DrpcDelegates;
import io.eyewall.core.security.LocalNames;
import io.eyewall.core.security.NimbusDelegates;
import io.eyewall.core.security.SupervisorCalls;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.storm.daemon.supervisor.MovedSlots;
import org.apache.storm.daemon.supervisor.ProfileRequests;

/** Weaves every seam of the daemons. */
public final class DaemonWeaver extends Weaver {

    private static final String EQUIVALENCE = "org.apache.storm.utils.EquivalenceUtils";
    private static final String EQUIVALENT = "areLocalAssignmentsEquivalent";
    private static final String JSON = "net.minidev.json.JSONValue";
    private static final String NIMBUS = "org.apache.storm.daemon.nimbus.Nimbus";
    private static final String SUPERVISOR = "org.apache.storm.daemon.supervisor.";
    private static final String SLOT = SUPERVISOR + "Slot";
    private static final String UTILS = "org.apache.storm.utils.Utils";

    /** For Byte Buddy's plugin. */
    public DaemonWeaver() {
        super(seams());
    }

    private static List<Seam> seams() {
        return Stream.of(slots(), nimbus(), supervisor(), drpc()).flatMap(List::stream).toList();
    }

    private static List<Seam> slots() {
        return List.of(
            Seam.delegation("slot-change", SLOT, named("handleRunning"), EQUIVALENCE, EQUIVALENT, delegate("keepsRunning")),
            Seam.delegation("slot-change (starting)", SLOT, named("handleWaitingForWorkerStart"), EQUIVALENCE, EQUIVALENT,
                delegate("keepsStarting")),
            Seam.delegation("slot-change (taken over)", SLOT, named("updateAssignmentIfNeeded"), EQUIVALENCE, EQUIVALENT,
                delegate("mayTakeOver")),
            Seam.delegation("slot-change (relaunch)", SLOT, named("handleKillAndRelaunch"), EQUIVALENCE, EQUIVALENT,
                delegate("mayRelaunch")),
            Seam.call("profile-request", SLOT, named("run"), SLOT + "$DynamicState", "withProfileActions",
                Weaver.method(ProfileRequests.class, "remembering")));
    }

    private static List<Seam> nimbus() {
        String blobs = "org.apache.storm.blobstore.BlobStore";
        Method json = nimbus("json");
        return List.of(
            Seam.property("nimbus-parts", NIMBUS, "eyewallParts", Map.class, NimbusParts.class),
            Seam.advice("rebalance-options", NIMBUS, named("rebalance"), DaemonAdvice.Rebalancing.class),
            Seam.delegation("rebalance-options (of the caller)", NIMBUS, named("rebalance"), UTILS, "parseJson", nimbus("rebalancing")),
            Seam.advice("held-rebalance (due)", NIMBUS, named("mkAssignments").and(takesArguments(1)), DaemonAdvice.Assigning.class),
            Seam.advice("held-rebalance (done)", NIMBUS, named("lockingMkAssignments"), DaemonAdvice.Assigned.class),
            Seam.construction("scheduler", NIMBUS, named("wrapAsBlacklistScheduler"),
                "org.apache.storm.scheduler.blacklist.BlacklistScheduler", Weaver.method(DecoratedSchedulers.class, "blacklisting")),
            Seam.advice("submitted-configuration", NIMBUS, named("submitTopologyWithOpts"), DaemonAdvice.Submitting.class),
            Seam.delegation("submission-check", NIMBUS, named("submitTopologyWithOpts"), UTILS, "validateTopologyBlobStoreMap",
                nimbus("submitting")),
            Seam.advice("caller-check", NIMBUS, named("getTopologyHistory"), DaemonAdvice.HistoryAsked.class),
            Seam.advice("caller-check (blob)", NIMBUS, named("createStateInZookeeper"), DaemonAdvice.BlobNoted.class),
            Seam.delegation("visible-blobs", NIMBUS, named("listBlobs"), blobs, "listKeys", nimbus("listing")),
            Seam.delegation("served-configuration", NIMBUS, named("getNimbusConf"), JSON, "toJSONString", json),
            Seam.delegation("served-configuration (topology)", NIMBUS, named("getTopologyConf"), JSON, "toJSONString", json),
            Seam.delegation("served-configuration (page)", NIMBUS, named("getTopologyPageInfo"), JSON, "toJSONString", json),
            Seam.advice("served-configuration (components)", NIMBUS, named("getTopology").or(named("getUserTopology")),
                DaemonAdvice.TopologyServed.class),
            Seam.call("announcement-node", NIMBUS, named("mkAssignments").or(named("lockingMkAssignments")),
                "org.apache.storm.cluster.IStormClusterState", "setAssignment", Weaver.method(AnnouncementNodes.class, "setAssignment")),
            Seam.delegation("profile-limits (asked for)", NIMBUS, named("setWorkerProfiler"),
                "org.apache.storm.cluster.IStormClusterState", "setWorkerProfileRequest",
                Weaver.method(ProfileDelegates.class, "requested")),
            Seam.delegation("dependency-removal", NIMBUS, named("rmDependencyJarsInTopology"), "org.apache.storm.generated.StormTopology",
                "get_dependency_jars", nimbus("removing")),
            Seam.delegation("dependency-removal (asked for)", NIMBUS, named("deleteBlob"), blobs, "deleteBlob", nimbus("deleting")),
            Seam.advice("dependency-removal (missed)", "org.apache.storm.nimbus.LeaderListenerCallback",
                named("getTopologyDependencyKeys"), DaemonAdvice.DependenciesMissed.class),
            Seam.call("leader-reads", "org.apache.storm.nimbus.LeaderListenerCallback", named("getTopologyDependencyKeys"),
                "org.apache.storm.security.auth.ReqContext", "subject", nimbus("leading")),
            Seam.advice("dependency-sweep (cleaning up)", NIMBUS, named("doCleanup"), DaemonAdvice.CleanedUp.class));
    }

    private static List<Seam> supervisor() {
        String file = "java.io.File";
        Method checkedFile = Weaver.method(LocalNames.class, "file");
        return List.of(
            Seam.advice("worker-launcher", SUPERVISOR + "Supervisor", isConstructor().and(takesArguments(4)),
                DaemonAdvice.SupervisorMade.class),
            Seam.construction("local-transport", "org.apache.storm.LocalCluster", isConstructor(),
                "org.apache.storm.messaging.local.Context", Weaver.method(LocalTransport.class, "make")),
            Seam.delegation("local-nimbus", "org.apache.storm.LocalCluster", named("addSupervisor"), SUPERVISOR + "Supervisor", "launch",
                Weaver.method(LocalSupervisors.class, "launch")),
            Seam.advice("early-release", "org.apache.storm.localizer.AsyncLocalizer", named("getLocalResources"),
                DaemonAdvice.BlobsMissing.class),
            Seam.construction("blob-links", "org.apache.storm.localizer.AsyncLocalizer$DownloadBlobs", named("get"), file, checkedFile),
            Seam.construction("blob-links (worker)", SUPERVISOR + "Container", named("createBlobstoreLinks"), file, checkedFile),
            Seam.call("logged-command", SUPERVISOR + "BasicContainer", named("launch"), "org.apache.storm.utils.ServerUtils", "shellCmd",
                Weaver.method(SupervisorCalls.class, "loggedCommand")),
            Seam.call("worker-processes", SUPERVISOR + "Container", named("areAllProcessesDead"),
                "org.apache.storm.container.ResourceIsolationInterface", "areAllProcessesDead",
                Weaver.method(SupervisorCalls.class, "areAllProcessesDead")));
    }

    private static List<Seam> drpc() {
        String drpc = "org.apache.storm.daemon.drpc.DRPC";
        String queue = "java.util.concurrent.ConcurrentLinkedQueue";
        return List.of(
            Seam.advice("function-queues", drpc, named("execute"), DaemonAdvice.FunctionCalled.class),
            Seam.delegation("function-queues (looked up)", drpc, named("execute").or(named("fetchRequest")), drpc, "getQueue",
                drpc("queue")),
            Seam.delegation("function-queues (entered)", drpc, named("execute"), queue, "add", drpc("add")),
            Seam.delegation("function-queues (left)", drpc, named("fetchRequest"), queue, "poll", drpc("poll")),
            Seam.delegation("function-queues (given up)", drpc, named("cleanup"), queue, "remove", drpc("remove")));
    }

    private static Method delegate(String name) {
        return Weaver.method(MovedSlots.class, name);
    }

    private static Method nimbus(String name) {
        return Weaver.method(NimbusDelegates.class, name);
    }

    private static Method drpc(String name) {
        return Weaver.method(DrpcDelegates.class, name);
    }
}
