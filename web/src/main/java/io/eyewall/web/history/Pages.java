package io.eyewall.web.history;

import java.util.List;
import java.util.Optional;
import org.apache.storm.generated.TopologyPageInfo;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.thrift.TException;

/** What is said about topologies since their start. For one thread. */
interface Pages {

    List<TopologySummary> topologies() throws TException;

    TopologyPageInfo page(String id) throws TException;

    /** Gives up a connection that may be broken; the next question makes another one. */
    void disconnect();

    /** The text of a blob; empty if there is none. */
    Optional<String> blob(String key) throws TException;

    /** Whether one of Eyewall's schedulers places executors. */
    boolean hasOwnScheduler() throws TException;
}
