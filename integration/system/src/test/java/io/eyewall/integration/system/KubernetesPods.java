package io.eyewall.integration.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;

/**
 * The pods of {@code deploy/kubernetes} as {@code podman play kube} takes them. Podman has no StatefulSets: each of their pods becomes one
 * by itself, with its claim. It has no Services: {@link Pod#names} are the names under which others know a pod. It would publish all ports
 * on this host, has pods share empty directories of one name, and does not replace variables within variables. Its probes need {@code nc}
 * in the image, and it runs no preStop: these stay out, and the test does their work.
 */
final class KubernetesPods {

    /** The name of the ConfigMap that all pods mount. */
    static final String CONFIGURATION = "storm";
    private static final String METADATA = "metadata";
    private static final String VOLUMES = "volumes";

    private final Path directory;
    private final String image;
    private final Map<String, Path> mounts;

    /**
     * A pod.
     *
     * @param container the name of its only container, as podman forms it
     * @param yaml what podman is to play
     * @param port answers when the pod is ready
     * @param preStop what runs in the container before it ends; empty if nothing does
     */
    record Pod(String name, String container, List<String> names, String yaml, int port, List<String> preStop) {
    }

    /** The pods of that image. {@code mounts} are files and directories of this host that all see under the same names. */
    KubernetesPods(Path directory, String image, Map<String, Path> mounts) {
        this.directory = directory;
        this.image = image;
        this.mounts = mounts;
    }

    /** The pod of that number of a StatefulSet or Deployment; {@code comesBack} if its claim is there already. */
    Pod pod(Path file, String set, int number, boolean comesBack) {
        Map<String, Object> object = documents(file).stream()
            .filter(one -> List.of("StatefulSet", "Deployment").contains(one.get("kind"))).findFirst().orElseThrow();
        String name = set + "-" + number;
        Map<String, Object> pod = map(map(map(object, "spec"), "template"), "spec");
        Map<String, Object> container = list(pod, "containers").get(0);
        pod.put("hostname", name);
        container.put("image", image);
        int port = port(container, map(map(container, "readinessProbe"), "tcpSocket").get("port"));
        List<String> preStop = preStop(container);
        List.of("ports", "startupProbe", "readinessProbe", "livenessProbe", "lifecycle").forEach(container::remove);
        if (container.containsKey("env")) {
            list(container, "env").forEach(variable -> variable.computeIfPresent("value",
                (key, value) -> value.toString().replace("$(POD_NAME)", name)));
        }
        list(pod, VOLUMES).stream().filter(volume -> volume.containsKey("emptyDir"))
            .forEach(volume -> rename(container, volume, volume.get("name") + "-" + name));
        mounts.forEach((volume, path) -> {
            list(container, "volumeMounts").add(Map.of("name", volume, "mountPath", path.toString()));
            list(pod, VOLUMES).add(Map.of("name", volume, "hostPath", Map.of("path", path.toString())));
        });
        List<Map<String, Object>> played = new ArrayList<>(List.of(configuration()));
        for (Map<String, Object> claim : claims(object)) {
            String of = map(claim, METADATA).get("name").toString();
            String claimed = of + "-" + name;
            list(pod, VOLUMES).add(Map.of("name", of, "persistentVolumeClaim", Map.of("claimName", claimed)));
            if (!comesBack) {
                played.add(Map.of("apiVersion", "v1", "kind", "PersistentVolumeClaim", METADATA, Map.of("name", claimed),
                    "spec", map(claim, "spec")));
            }
        }
        played.add(Map.of("apiVersion", "v1", "kind", "Pod", METADATA, Map.of("name", name), "spec", pod));
        return new Pod(name, name + "-" + container.get("name"), List.of(name + "." + set, set), new Yaml().dumpAll(played.iterator()),
            port, preStop);
    }

    /** The names of the claims of that pod, which podman keeps as volumes. */
    List<String> claims(Path file, String pod) {
        return documents(file).stream().flatMap(object -> claims(object).stream())
            .map(claim -> map(claim, METADATA).get("name") + "-" + pod).toList();
    }

    /** What kustomize makes of the files that base names. */
    private Map<String, Object> configuration() {
        Path base = directory.resolve("base");
        Map<String, Object> generator = list(documents(base.resolve("kustomization.yaml")).get(0), "configMapGenerator").get(0);
        Map<String, String> data = new TreeMap<>();
        for (Object file : (List<?>) generator.get("files")) {
            data.put(file.toString(), read(base.resolve(file.toString())));
        }
        return Map.of("apiVersion", "v1", "kind", "ConfigMap", METADATA, Map.of("name", CONFIGURATION), "data", data);
    }

    private List<Map<String, Object>> documents(Path file) {
        return StreamSupport.stream(new Yaml().loadAll(read(directory.resolve(file))).spliterator(), false)
            .map(KubernetesPods::asMap).toList();
    }

    private static List<Map<String, Object>> claims(Map<String, Object> object) {
        Map<String, Object> spec = object.containsKey("spec") ? map(object, "spec") : new LinkedHashMap<>();
        return spec.containsKey("volumeClaimTemplates") ? list(spec, "volumeClaimTemplates") : List.of();
    }

    private static void rename(Map<String, Object> container, Map<String, Object> volume, String name) {
        list(container, "volumeMounts").stream().filter(mount -> mount.get("name").equals(volume.get("name")))
            .forEach(mount -> mount.put("name", name));
        volume.put("name", name);
    }

    private static int port(Map<String, Object> container, Object name) {
        return list(container, "ports").stream().filter(port -> port.get("name").equals(name))
            .map(port -> (Integer) port.get("containerPort")).findFirst().orElseThrow();
    }

    private static List<String> preStop(Map<String, Object> container) {
        if (!container.containsKey("lifecycle")) {
            return List.of();
        }
        List<?> command = (List<?>) map(map(map(container, "lifecycle"), "preStop"), "exec").get("command");
        return command.stream().map(Object::toString).toList();
    }

    private static Map<String, Object> map(Map<String, Object> parent, String key) {
        return asMap(parent.get(key));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> asMap(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Map<String, Object> parent, String key) {
        return (List<Map<String, Object>>) parent.get(key);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + file, e);
        }
    }
}
