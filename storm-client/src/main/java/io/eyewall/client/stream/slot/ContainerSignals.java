package io.eyewall.client.stream.slot;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The signals that end a JVM. Storm's plugin for cgroups sends SIGTERM to all processes of a slot, and a terminal SIGINT. The container
 * hears them as well, and has the others end, each behind those that send to it.
 *
 * <p>The process handles these signals by doing nothing. If it ignored them, as the operating system means it, the processes that it starts
 * would inherit that: a bolt of Storm's multilang could no longer end its process by {@code Process.destroy()}.
 */
public final class ContainerSignals {

    private static final Logger LOG = LoggerFactory.getLogger(ContainerSignals.class);
    private static final List<String> NAMES = List.of("HUP", "INT", "TERM");

    private ContainerSignals() {
    }

    /** Has this process do nothing when it gets one of the signals, from now on. If the JVM does not permit that, it is logged. */
    public static void leaveToContainer() {
        try { // The class has no replacement in Java's own packages, and the compiler warns of each use.
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Method handle = signal.getMethod("handle", signal, handler);
            Object nothing = Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> null);
            for (String name : NAMES) {
                handle.invoke(null, signal.getConstructor(String.class).newInstance(name), nothing);
            }
        } catch (ReflectiveOperationException e) {
            LOG.warn("This JVM does not let a program handle signals. If {} go to all processes of a container, this one ends at once, and"
                + " what it has is lost. If the option -Xrs is set, remove it.", NAMES, e);
        }
    }
}
