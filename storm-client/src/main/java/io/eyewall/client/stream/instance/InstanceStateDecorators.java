package io.eyewall.client.stream.instance;

import io.eyewall.client.stream.slot.ProcessFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.apache.storm.cluster.IStateStorage;
import org.apache.storm.cluster.IStormClusterState;
import org.apache.storm.generated.Assignment;

/**
 * The state of the cluster as an instance has it. Its statistics go to a file, since a worker has one node in ZooKeeper for the statistics
 * of all of its executors, and the container collects them. It returns assignments as an instance sees them. Everything else goes to the
 * real state.
 */
final class InstanceStateDecorators {

    private InstanceStateDecorators() {
    }

    /** Decorates a storage. */
    static IStateStorage of(IStateStorage storage, Path statistics) {
        return decorated(IStateStorage.class, (method, arguments) -> {
            if (method.getName().equals("set_worker_hb")) {
                write((byte[]) arguments[1], statistics);
                return null;
            }
            return method.getName().equals("delete_worker_hb") ? null : call(method, storage, arguments);
        });
    }

    /** Decorates the state that is in a storage; {@code view} returns an assignment, or null, as the instance sees it. */
    static IStormClusterState of(IStormClusterState state, UnaryOperator<Assignment> view) {
        return decorated(IStormClusterState.class, (method, arguments) -> {
            Object result = call(method, state, arguments);
            return method.getReturnType() == Assignment.class ? view.apply((Assignment) result) : result;
        });
    }

    private static <T> T decorated(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
            (proxy, method, arguments) -> call.of(method, arguments)));
    }

    private static Object call(Method method, Object of, Object... arguments) throws Throwable {
        try {
            return method.invoke(of, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static void write(byte[] bytes, Path file) {
        try {
            ProcessFile.write(file, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write the statistics of this instance, which its container reads", e);
        }
    }

    /** A call of a method. */
    private interface Call {
        Object of(Method method, Object... arguments) throws Throwable;
    }
}
