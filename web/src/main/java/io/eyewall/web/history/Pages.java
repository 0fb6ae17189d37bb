package io.eyewall.web.history;

import java.util.List;
import org.apache.storm.generated.TopologyPageInfo;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.thrift.TException;

/** What is said about topologies since their start. For one thread. */
interface Pages {

    List<TopologySummary> topologies() throws TException;

    TopologyPageInfo page(String id) throws TException;

    /** Gives up a connection that may be broken; the next question makes another one. */
    void disconnect();
}
