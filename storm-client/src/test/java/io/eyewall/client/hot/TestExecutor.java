package io.eyewall.client.hot;

import java.util.List;
import org.apache.storm.daemon.Shutdownable;
import org.apache.storm.executor.IRunningExecutor;
import org.apache.storm.generated.Credentials;
import org.apache.storm.generated.ExecutorStats;
import org.apache.storm.grouping.LoadMapping;
import org.apache.storm.utils.JCQueue;

/** An executor of a test, which sends and executes tuples one by one. Storm's worker does not know it. */
interface TestExecutor extends ExecutorAccess, IRunningExecutor, Shutdownable, JCQueue.Consumer {

    @Override
    default void flush() {
        // Tuples are executed one by one.
    }

    @Override
    default void flushAcks() {
        // An ack is sent at once.
    }

    @Override
    default void flushEmits() {
        // There are no batches.
    }

    @Override
    default List<Long> getExecutorId() {
        return id();
    }

    @Override
    default JCQueue getReceiveQueue() {
        return queue();
    }

    @Override
    default ExecutorStats renderStats() {
        throw new UnsupportedOperationException("Nobody asks for it.");
    }

    @Override
    default void credentialsChanged(Credentials credentials) {
        throw new UnsupportedOperationException("Nobody changes them.");
    }

    @Override
    default void loadChanged(LoadMapping loads) {
        throw new UnsupportedOperationException("Nobody knows them.");
    }

    @Override
    default boolean publishFlushTuple() {
        return false;
    }
}
