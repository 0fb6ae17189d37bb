package io.eyewall.integration.dropin;

import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.Config;
import org.apache.storm.ICredentialsListener;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.TopologyBuilder;

/** Emits slowly for a long time, and writes which calls it gets from Storm: activate, deactivate, new credentials. */
final class LifecycleTopology {

    private LifecycleTopology() {
    }

    static StormTopology build(Config config) {
        config.setMessageTimeoutSecs(10);
        config.setMaxSpoutPending(100);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new CalledSpout(1_000_000).withIntervalMs(5));
        builder.setBolt("record", new CalledBolt(), 1).setNumTasks(4).shuffleGrouping("numbers");
        return builder.createTopology();
    }

    /** Writes when it is activated and deactivated. */
    private static final class CalledSpout extends NumberSpout {

        private static final long serialVersionUID = 1L;
        private transient Output calls;

        CalledSpout(int count) {
            super(count);
        }

        @Override
        public void open(Map<String, Object> configuration, TopologyContext context, SpoutOutputCollector collector) {
            super.open(configuration, context, collector);
            calls = Output.of(configuration, "calls-" + context.getThisComponentId());
        }

        @Override
        public void activate() {
            calls.line("activate");
        }

        @Override
        public void deactivate() {
            calls.line("deactivate");
        }
    }

    /** Writes the credentials that it starts with and those that it gets later. */
    private static final class CalledBolt extends RecordingBolt implements ICredentialsListener {

        private static final long serialVersionUID = 1L;
        private transient Output calls;
        private transient String beforePrepare;

        CalledBolt() {
            super(NumberSpout.FIELD);
        }

        @Override
        public void prepare(Map<String, Object> configuration, TopologyContext context, OutputCollector collector) {
            super.prepare(configuration, context, collector);
            calls = Output.of(configuration, "calls-" + context.getThisComponentId() + "-" + context.getThisTaskId());
            if (beforePrepare != null) {
                calls.line(beforePrepare);
            }
        }

        /** A bolt that starts when there are credentials gets them before it is prepared. */
        @Override
        public void setCredentials(Map<String, String> credentials) {
            String line = "credentials " + new TreeMap<>(credentials);
            if (calls == null) {
                beforePrepare = line;
            } else {
                calls.line(line);
            }
        }
    }
}
