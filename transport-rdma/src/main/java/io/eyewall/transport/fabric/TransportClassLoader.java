package io.eyewall.transport.fabric;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import org.apache.storm.messaging.IContext;

/**
 * Loads the transport together with its own JNA. A topology may bring another version of JNA, and both share the worker's class path. JNA
 * cannot be relocated either, since its native library looks up its classes by name. Therefore this module's jar keeps JNA's classes in a
 * separate folder, where only this loader finds them. All other classes come from the worker's class path.
 */
final class TransportClassLoader extends ClassLoader {

    private static final String TRANSPORT = "io.eyewall.transport.fabric.";
    private static final String JNA = "com.sun.jna.";
    private static final String JNA_FOLDER = "io/eyewall/transport/fabric/jna/";
    private static final String TRANSPORT_CLASS = TRANSPORT + "FabricTransport";

    static {
        registerAsParallelCapable();
    }

    private TransportClassLoader(ClassLoader parent) {
        super("fabric", parent);
    }

    /** Creates a transport. All transports of a process share their classes. */
    static IContext newTransport() {
        try {
            Class<?> type = Holder.LOADER.loadClass(TRANSPORT_CLASS);
            return type.asSubclass(IContext.class).getDeclaredConstructor().newInstance();
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(TRANSPORT_CLASS + " cannot be created: " + e.getCause().getMessage(), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("The jar of transport-rdma is incomplete; use the one from the distribution: " + e, e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(TRANSPORT) && !name.startsWith(JNA)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(pathOf(name.replace('.', '/') + ".class"))) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    @Override
    public URL getResource(String name) {
        return getParent().getResource(pathOf(name));
    }

    /** The path of a resource on the class path. */
    private static String pathOf(String name) {
        return name.startsWith(JNA.replace('.', '/')) ? JNA_FOLDER + name : name;
    }

    private static final class Holder {

        static final TransportClassLoader LOADER = new TransportClassLoader(TransportClassLoader.class.getClassLoader());
    }
}
