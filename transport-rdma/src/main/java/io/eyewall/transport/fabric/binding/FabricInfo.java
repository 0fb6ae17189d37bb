package io.eyewall.transport.fabric.binding;

import com.sun.jna.Pointer;

/**
 * One way to communicate, with its provider, domain, addresses and limits. It is the library's reply to a {@link FabricQuery}, or comes
 * with a request for a connection. It owns memory of the library and must be closed.
 */
public final class FabricInfo implements AutoCloseable {

    private static final int NO_DATA = 61;
    private Pointer info;

    FabricInfo(Pointer info) {
        this.info = info;
    }

    /**
     * Returns the library's preferred reply to a query.
     *
     * @throws FabricException if there is none, with the remedy
     */
    public static FabricInfo of(FabricQuery query) {
        Libfabric.require();
        Pointer hints = hints(query);
        try (FabricObject.Cell answer = new FabricObject.Cell()) {
            long flags = (query.local() ? StructLayout.FLAG_SOURCE : 0) | (query.node() == null ? 0 : StructLayout.FLAG_NUMERICHOST);
            String service = query.port() < 0 ? null : Integer.toString(query.port());
            int result = Libfabric.getinfo(StructLayout.API_VERSION, query.node(), service, flags, hints, answer.pointer());
            if (result == -NO_DATA) {
                throw new FabricException("This host has no " + query + ": fi_info prints what it has");
            }
            FabricException.check("look up " + query, result);
            return ofExactProvider(answer.value(), query);
        } finally {
            Libfabric.freeinfo(hints);
        }
    }

    /** Returns the first reply whose provider is the one asked for, not a layer over it, and frees the list. */
    private static FabricInfo ofExactProvider(Pointer list, FabricQuery query) {
        try {
            for (Pointer next = list; next != null; next = next.getPointer(StructLayout.INFO_NEXT)) {
                String provider = next.getPointer(StructLayout.INFO_FABRIC).getPointer(StructLayout.FABRIC_ATTR_PROV_NAME).getString(0);
                if (provider.equals(query.provider())) {
                    return new FabricInfo(Libfabric.dupinfo(next));
                }
            }
            throw new FabricException("This host has no " + query + ", only layers over that provider: give the full name of a layer,"
                + " as fi_info prints it");
        } finally {
            Libfabric.freeinfo(list);
        }
    }

    private static Pointer hints(FabricQuery query) {
        // The library allocates the structure, whose size depends on the library's version.
        Pointer hints = Libfabric.dupinfo(null);
        hints.setLong(StructLayout.INFO_CAPS, query.type().capability());
        hints.setLong(StructLayout.INFO_MODE, StructLayout.MODE_CONTEXT | StructLayout.MODE_CONTEXT2);
        hints.getPointer(StructLayout.INFO_EP).setInt(StructLayout.EP_ATTR_TYPE, query.type().number());
        Pointer domain = hints.getPointer(StructLayout.INFO_DOMAIN);
        domain.setInt(StructLayout.DOMAIN_ATTR_THREADING, StructLayout.THREAD_SAFE);
        domain.setInt(StructLayout.DOMAIN_ATTR_MR_MODE,
            StructLayout.MR_LOCAL | StructLayout.MR_VIRT_ADDR | StructLayout.MR_ALLOCATED | StructLayout.MR_PROV_KEY
                | StructLayout.MR_ENDPOINT);
        // The library frees the name together with the hints, so that the C library must allocate it.
        hints.getPointer(StructLayout.INFO_FABRIC).setPointer(StructLayout.FABRIC_ATTR_PROV_NAME, Libc.strdup(query.provider()));
        return hints;
    }

    /** The provider's name, for instance {@code tcp}. */
    public String provider() {
        return pointer().getPointer(StructLayout.INFO_FABRIC).getPointer(StructLayout.FABRIC_ATTR_PROV_NAME).getString(0);
    }

    /** The names of provider, network and device. Endpoints with the same names can share a {@link Fabric} and a {@link Domain}. */
    public String domainName() {
        Pointer fabric = pointer().getPointer(StructLayout.INFO_FABRIC);
        Pointer domain = pointer().getPointer(StructLayout.INFO_DOMAIN);
        return provider() + " " + text(fabric.getPointer(StructLayout.FABRIC_ATTR_NAME)) + " "
            + text(domain.getPointer(StructLayout.DOMAIN_ATTR_NAME));
    }

    /** How many receives an endpoint can post at once. */
    public long receiveQueueSize() {
        return pointer().getPointer(StructLayout.INFO_RX).getLong(StructLayout.RX_ATTR_SIZE);
    }

    /** How many sends of an endpoint can be in flight. */
    public long sendQueueSize() {
        return pointer().getPointer(StructLayout.INFO_TX).getLong(StructLayout.TX_ATTR_SIZE);
    }

    /** The name of the peer's endpoint, in the provider's format; empty if there is none. */
    public byte[] peerName() {
        Pointer name = pointer().getPointer(StructLayout.INFO_DEST_ADDR);
        return name == null ? new byte[0] : name.getByteArray(0, (int) pointer().getLong(StructLayout.INFO_DEST_ADDRLEN));
    }

    /** Whether the provider requires buffers to be registered. */
    public boolean needsLocalRegistration() {
        return (memoryMode() & StructLayout.MR_LOCAL) != 0;
    }

    @Override
    public void close() {
        if (info != null) {
            Libfabric.freeinfo(info);
            info = null;
        }
    }

    @Override
    public String toString() {
        return info == null ? "closed" : domainName();
    }

    int memoryMode() {
        return pointer().getPointer(StructLayout.INFO_DOMAIN).getInt(StructLayout.DOMAIN_ATTR_MR_MODE);
    }

    Pointer pointer() {
        if (info == null) {
            throw new IllegalStateException("This FabricInfo is closed");
        }
        return info;
    }

    private static String text(Pointer name) {
        return name == null ? "" : name.getString(0);
    }
}
