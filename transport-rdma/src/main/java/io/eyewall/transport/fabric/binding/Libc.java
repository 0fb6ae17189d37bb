package io.eyewall.transport.fabric.binding;

import com.sun.jna.Native;
import com.sun.jna.Pointer;

/** The functions of the C library on Linux that the use of libfabric needs. */
final class Libc {

    static final int PROT_READ_WRITE = 3;
    static final int MAP_PRIVATE_ANONYMOUS = 0x22;
    static final int MAP_NORESERVE = 0x4000;
    static final int MADV_HUGEPAGE = 14;
    static final long MAP_FAILED = -1;
    static final int POLLIN = 1;
    static final int EFD_NONBLOCK = 0x800;
    static final int EFD_CLOEXEC = 0x80000;
    static final int EINTR = 4;

    static {
        Native.register(Libc.class, "c");
    }

    private Libc() {
    }

    static native int setenv(String name, String value, int overwrite);

    static native Pointer strdup(String text);

    static native long mmap(long address, long length, int protection, int flags, int descriptor, long offset);

    static native int munmap(long address, long length);

    static native int madvise(long address, long length, int advice);

    static native int poll(long descriptors, long count, int timeoutMs);

    static native int eventfd(int initial, int flags);

    static native long write(int descriptor, long buffer, long length);

    static native long read(int descriptor, long buffer, long length);

    static native int close(int descriptor);
}
