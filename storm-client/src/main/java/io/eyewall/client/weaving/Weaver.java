package io.eyewall.client.weaving;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import net.bytebuddy.build.Plugin;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.ClassFileLocator;
import net.bytebuddy.dynamic.DynamicType;

/**
 * Weaves seams into upstream's classes. Each seam names one upstream class and a place in it. If a seam matches nothing, since upstream has
 * changed, the build fails with the seam's name.
 */
public abstract class Weaver implements Plugin {

    private final List<Seam> seams;
    private RuntimeException failure;

    /** A weaver of these seams. */
    protected Weaver(List<Seam> seams) {
        this.seams = List.copyOf(seams);
    }

    /** The name of each seam, in the order of weaving. A seam of several changes has a name with parentheses for each. */
    List<String> seamNames() {
        return seams.stream().map(Seam::name).toList();
    }

    @Override
    public boolean matches(TypeDescription type) {
        return seams.stream().anyMatch(seam -> seam.isIn(type));
    }

    @Override
    public DynamicType.Builder<?> apply(DynamicType.Builder<?> builder, TypeDescription type, ClassFileLocator locator) {
        DynamicType.Builder<?> woven = builder;
        try {
            for (Seam seam : seams) {
                if (seam.isIn(type)) {
                    woven = seam.weave(woven);
                }
            }
        } catch (RuntimeException e) {
            failure = failure == null ? e : failure;
            throw e;
        }
        return woven;
    }

    /**
     * Checks that every seam has matched.
     *
     * @throws IllegalStateException names the seams that matched nothing
     */
    @Override
    public void close() {
        if (failure != null) {
            throw failure;
        }
        List<String> missed = seams.stream().filter(seam -> !seam.hasMatched()).map(Seam::name).toList();
        if (!missed.isEmpty()) {
            throw new IllegalStateException("These seams match nothing in this version of upstream: " + String.join(", ", missed));
        }
    }

    /** The public method of that name of a class of woven calls. */
    protected static Method method(Class<?> calls, String name) {
        return Arrays.stream(calls.getMethods()).filter(method -> method.getName().equals(name)).findFirst()
            .orElseThrow(() -> new IllegalStateException(calls.getSimpleName() + " has no method " + name));
    }
}
