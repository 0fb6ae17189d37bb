package io.eyewall.core.seam;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.core.security.Upstream;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.apache.storm.topology.WindowedBoltExecutor;
import org.junit.jupiter.api.Test;

/** What a client of one installation has serialized can be read by workers of the other. */
class SerialVersionsTest {

    @Test
    @SuppressWarnings("unchecked")
    void shouldLeaveTheSerialVersionOfEachClassOfTopologiesAsItIs() throws Exception {
        Map<String, Long> upstream = (Map<String, Long>) Upstream.attackedBy(Versions.class);

        assertTrue(upstream.containsKey(WindowedBoltExecutor.class.getName()), () -> "classes of upstream's: " + upstream.keySet());
        Map<String, Long> changed = Versions.of(upstream.keySet());
        changed.entrySet().removeIf(version -> version.getValue().equals(upstream.get(version.getKey())));
        assertEquals(Map.of(), changed);
    }

    /** The serial versions of what a topology may contain, by the names of the classes. */
    static final class Versions implements Callable<Map<String, Long>> {

        private static final List<String> PACKAGES = List.of("clojure", "coordination", "drpc", "grouping", "hooks", "lambda", "metric",
            "multilang", "policy", "spout", "state", "streams", "task", "testing", "topology", "trident", "tuple", "utils", "windowing");

        @Override
        public Map<String, Long> call() throws Exception {
            try (JarFile jar = new JarFile(Path.of(WindowedBoltExecutor.class.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toFile())) {
                return of(jar.stream().map(ZipEntry::getName).filter(name -> name.endsWith(".class"))
                    .map(name -> name.substring(0, name.length() - ".class".length()).replace('/', '.'))
                    .filter(name -> PACKAGES.stream().anyMatch(folder -> name.startsWith("org.apache.storm." + folder + "."))).toList());
            }
        }

        static Map<String, Long> of(Iterable<String> names) throws ClassNotFoundException {
            Map<String, Long> versions = new TreeMap<>();
            for (String name : names) {
                Class<?> type = Class.forName(name, false, Versions.class.getClassLoader());
                if (Serializable.class.isAssignableFrom(type)) {
                    versions.put(name, ObjectStreamClass.lookup(type).getSerialVersionUID());
                }
            }
            return versions;
        }
    }
}
