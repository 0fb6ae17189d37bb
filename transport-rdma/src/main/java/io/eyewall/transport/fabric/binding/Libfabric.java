package io.eyewall.transport.fabric.binding;

import com.sun.jna.FunctionMapper;
import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The functions that libfabric exports. The first use loads the library. All other functions of the library are in the tables of its
 * objects; see {@link OperationTable}.
 */
final class Libfabric {

    private static final Logger LOG = LoggerFactory.getLogger(Libfabric.class);
    private static final String LIBRARY = "libfabric.so.1";
    private static final String REMEDY = "install the package with " + LIBRARY + " (Debian and Ubuntu: libfabric1; Fedora and RHEL: "
        + "libfabric), or name the library's folder with -Djna.library.path=...";
    /** Why the library is not loaded, or null if it is. */
    private static final String UNAVAILABLE = load(LIBRARY);

    private Libfabric() {
    }

    /** Why the library cannot be used, or null if it can. */
    static FabricException unavailabilityCause() {
        return UNAVAILABLE == null ? null : new FabricException(UNAVAILABLE);
    }

    /** Loads the library, or throws a {@link FabricException} with the cause. */
    static void require() {
        if (UNAVAILABLE != null) {
            throw new FabricException(UNAVAILABLE);
        }
    }

    /** The library's description of one of its error numbers. */
    static String describe(int errorCode) {
        return UNAVAILABLE == null ? strerror(errorCode) : "error";
    }

    /** The address of a function that ends the process, in place of operations that an object lacks and that are never called. */
    static long abortAddress() {
        return Pointer.nativeValue(NativeLibrary.getInstance("c").getFunction("abort"));
    }

    /** Binds the functions of this class to a library; returns the cause if that fails, or null. */
    static String load(String library) {
        if (Native.POINTER_SIZE != 8) {
            return "libfabric is supported on 64-bit systems only: use a 64-bit Java runtime";
        }
        try {
            // Libraries that libfabric loads install handlers for SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGINT and SIGTERM, which the Java
            // runtime needs itself. They do not if these variables are set.
            Libc.setenv("IPATH_NO_BACKTRACE", "1", 1);
            Libc.setenv("HFI_NO_BACKTRACE", "1", 1);
            FunctionMapper prefix = (owner, method) -> "fi_" + method.getName();
            Native.register(Libfabric.class, NativeLibrary.getInstance(library, Map.of(Library.OPTION_FUNCTION_MAPPER, prefix)));
        } catch (UnsatisfiedLinkError e) {
            return "Cannot load " + library + ": " + e.getMessage() + "; " + REMEDY;
        }
        int version = version();
        String found = (version >>> 16) + "." + (version & 0xffff);
        if (version < StructLayout.API_VERSION) {
            return "libfabric " + found + " is too old: Eyewall needs version 1.9 or newer; " + REMEDY;
        }
        LOG.info("Loaded {}, interface version {}", LIBRARY, found);
        return null;
    }

    static native int version();

    static native int getinfo(int version, String node, String service, long flags, Pointer hints, Pointer infoOut);

    static native void freeinfo(Pointer info);

    static native Pointer dupinfo(Pointer info);

    static native int fabric(Pointer attributes, Pointer fabricOut, Pointer context);

    static native String strerror(int errorCode);
}
