package io.eyewall.client.deadline;

import org.apache.storm.topology.base.BaseWindowedBolt;
import org.apache.storm.windowing.TupleWindow;

/** A bolt of which only the configuration of its windows counts. No window fires. */
final class UnfiredWindows extends BaseWindowedBolt {

    private static final long serialVersionUID = 1L;

    @Override
    public void execute(TupleWindow window) {
        throw new AssertionError("No window fires.");
    }
}
