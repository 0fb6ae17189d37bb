package io.eyewall.client.seam.woven;

import io.eyewall.client.seam.ReceivingQueue;
import io.eyewall.client.substitute.ReceivedMessages;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.storm.tuple.AddressedTuple;
import org.apache.storm.utils.JCQueue;

/**
 * Inserts a batch of tuples from another worker into the queues of their tasks, in a group for each task. The tuples of a task keep their
 * order, and so do tuples that have overflowed: a queue beside which tuples lie gets none here. For one thread.
 */
public final class ReceivedGroups {

    private static final ThreadLocal<ReceivedGroups> OF_THREAD = ThreadLocal.withInitial(ReceivedGroups::new);

    /** Task ids are small: in a message they have 15 bits. */
    private Group[] byTask = {};
    /** Those that have tuples. */
    private final List<Group> begun = new ArrayList<>();
    private final List<AddressedTuple> others = new ArrayList<>();

    static ReceivedGroups ofThread() {
        return OF_THREAD.get();
    }

    /**
     * Removes from a batch the tuples for which there was space in their queues. What is left is in order for each task. Behind it is what
     * is for no task: markers, which promise that what was sent before them has arrived.
     */
    @SuppressWarnings("NonApiType") // Upstream's parameter.
    public void insert(ArrayList<AddressedTuple> batch, Map<Integer, JCQueue> queues) {
        try {
            for (int i = 0; i < batch.size(); i++) {
                AddressedTuple tuple = batch.get(i);
                if (tuple.dest > ReceivedMessages.MARKER_TASK) {
                    group(tuple.dest).tuples.add(tuple);
                } else {
                    others.add(tuple);
                }
            }
            batch.clear();
            for (int i = 0; i < begun.size(); i++) {
                Group group = begun.get(i);
                if (queues.get(group.task) instanceof ReceivingQueue queue && ((JCQueue) queue).isEmptyOverflow()) {
                    queue.receive(group.tuples);
                }
                group.tuples.forEach(left -> batch.add((AddressedTuple) left));
            }
            batch.addAll(others);
        } finally {
            begun.forEach(group -> group.tuples.clear());
            begun.clear();
            others.clear();
        }
    }

    private Group group(int task) {
        if (task >= byTask.length) {
            byTask = Arrays.copyOf(byTask, task + 1);
        }
        Group group = byTask[task];
        if (group == null) {
            group = new Group(task);
            byTask[task] = group;
        }
        if (group.tuples.isEmpty()) {
            begun.add(group);
        }
        return group;
    }

    private record Group(int task, ArrayList<Object> tuples) {
        Group(int task) {
            this(task, new ArrayList<>());
        }
    }
}
