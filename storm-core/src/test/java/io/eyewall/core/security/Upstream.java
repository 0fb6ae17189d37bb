package io.eyewall.core.security;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * Runs an attack on upstream's classes, in a class loader of their own, in which nothing of Eyewall is. The attack is a class of the tests
 * without arguments; the same class runs on the woven classes when a test calls it.
 */
public final class Upstream {

    private static final Path JARS = Path.of("target", "upstream");
    private static final ClassLoader CLASSES = new URLClassLoader("upstream", urls(), ClassLoader.getPlatformClassLoader());

    private Upstream() {
    }

    /** What the attack gains. */
    public static Object attackedBy(Class<? extends Callable<?>> attack) throws Exception {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(CLASSES);
        try {
            Constructor<?> constructor = CLASSES.loadClass(attack.getName()).getDeclaredConstructor();
            constructor.setAccessible(true);
            return ((Callable<?>) constructor.newInstance()).call();
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    /** Upstream's jars, and of the class path what is not Eyewall's. */
    private static URL[] urls() {
        List<Path> paths = new ArrayList<>();
        try (Stream<Path> jars = Files.list(JARS)) {
            jars.forEach(paths::add);
        } catch (IOException e) {
            throw new UncheckedIOException("Upstream's jars are not in " + JARS + ": build storm-core with Maven.", e);
        }
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator)).map(Path::of)
            .filter(path -> !isEyewall(path.toAbsolutePath().toString())).forEach(paths::add);
        return paths.stream().map(Upstream::url).toArray(URL[]::new);
    }

    private static boolean isEyewall(String path) {
        return path.contains("storm-client" + File.separator + "target") || path.contains("io" + File.separator + "eyewall")
            || path.endsWith("storm-core" + File.separator + "target" + File.separator + "classes");
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
