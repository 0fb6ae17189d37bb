package io.eyewall.client.hot;

import io.eyewall.client.seam.Groupings;
import io.eyewall.client.substitute.SingleTaskGrouping;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.storm.Config;
import org.apache.storm.Thrift;
import org.apache.storm.daemon.GrouperFactory;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.NullStruct;
import org.apache.storm.grouping.LoadAwareCustomStreamGrouping;
import org.apache.storm.grouping.LoadAwareShuffleGrouping;
import org.apache.storm.grouping.LoadMapping;
import org.apache.storm.grouping.ShuffleGrouping;
import org.apache.storm.task.WorkerTopologyContext;

/**
 * Storm's local-or-shuffle grouping, which looks for the subscriber's tasks of its own worker only once. This class makes it anew when
 * these tasks have changed. Where a process is one of several in a slot, they are those of the slot. It is a shuffle among them, so a
 * feature that decorates shuffles decorates it, too.
 */
final class LocalityGrouping implements LoadAwareCustomStreamGrouping {

    private static final long serialVersionUID = 1L;

    private final transient Groupings.Request request;
    private final transient Groupings shuffles;
    private final transient Supplier<Set<Integer>> localTasks;
    private final boolean loadAware;

    /** The tasks at the last look, and those among which {@link #current} chooses. Written by the executor's thread. */
    private transient Set<Integer> seen;
    private transient List<Integer> targets;
    /** Written by the executor's thread, read by the thread that reports loads. */
    private transient volatile LoadAwareCustomStreamGrouping current;

    /**
     * The grouping of a subscription.
     *
     * @param shuffles makes the grouping behind it
     * @param localTasks returns the tasks of this worker or slot, another set after each change
     */
    LocalityGrouping(Groupings.Request request, Groupings shuffles, Supplier<Set<Integer>> localTasks) {
        this.request = request;
        this.shuffles = shuffles;
        this.localTasks = localTasks;
        loadAware = !Boolean.TRUE.equals(request.topologyConf().get(Config.TOPOLOGY_DISABLE_LOADAWARE_MESSAGING));
        seen = localTasks.get();
        targets = targets(seen);
        current = make(targets);
    }

    /** Whether a subscription has a local-or-shuffle grouping. */
    static boolean isAbout(Groupings.Request request) {
        return Thrift.groupingType(request.grouping()) == Grouping._Fields.LOCAL_OR_SHUFFLE;
    }

    @Override
    public void prepare(WorkerTopologyContext context, GlobalStreamId stream, List<Integer> targetTasks) {
        // Upstream has prepared the wrapped grouping.
    }

    @Override
    public List<Integer> chooseTasks(int taskId, List<Object> values) {
        Set<Integer> now = localTasks.get();
        if (!now.equals(seen)) {
            seen = now;
            List<Integer> next = targets(now);
            if (!next.equals(targets)) {
                targets = next;
                current = make(next);
            }
        }
        return current.chooseTasks(taskId, values);
    }

    @Override
    public void refreshLoad(LoadMapping loads) {
        current.refreshLoad(loads);
    }

    private List<Integer> targets(Set<Integer> local) {
        List<Integer> all = request.targetTasks().stream().sorted().toList();
        List<Integer> here = all.stream().filter(local::contains).toList();
        return here.isEmpty() ? all : here;
    }

    private LoadAwareCustomStreamGrouping make(List<Integer> among) {
        LoadAwareCustomStreamGrouping grouping = loadAware ? new LoadAwareShuffleGrouping()
            : new GrouperFactory.BasicLoadAwareCustomStreamGrouping(new ShuffleGrouping());
        grouping.prepare(request.context(), new GlobalStreamId(request.componentId(), request.streamId()), new ArrayList<>(among));
        return shuffles.grouping(SingleTaskGrouping.applyTo(new Groupings.Request(request.context(), request.componentId(),
            request.streamId(), request.outFields(), Grouping.shuffle(new NullStruct()), among, request.topologyConf(), grouping)));
    }
}
