package io.eyewall.integration.dropin;

import java.nio.file.Path;
import org.HdrHistogram.Histogram;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Tuple;

/** A topology with its own version of a library that the installation uses, too. It must get its own version. */
final class LibrariesTopology {

    private LibrariesTopology() {
    }

    static StormTopology build(Config config) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("numbers", new NumberSpout(1));
        builder.setBolt("libraries", new LibraryBolt()).shuffleGrouping("numbers");
        return builder.createTopology();
    }

    /** Writes where the library comes from. */
    private static final class LibraryBolt extends RecordingBolt {

        private static final long serialVersionUID = 1L;

        LibraryBolt() {
            super(NumberSpout.FIELD);
        }

        @Override
        String line(Tuple tuple) {
            String jar = Histogram.class.getProtectionDomain().getCodeSource().getLocation().getPath();
            return "HdrHistogram of " + Path.of(jar).getFileName();
        }
    }
}
