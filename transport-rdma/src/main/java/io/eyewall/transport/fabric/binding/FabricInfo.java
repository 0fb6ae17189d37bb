package io.eyewall.transport.fabric.binding;

import com.sun.jna.Pointer;

/**
 * What the library answers to a {@link FabricQuery}, or hands over with a request for a connection: one way to communicate, with its
 * provider, its domain, its addresses and its limits. It owns memory of the library and must be closed.
 */
public final class FabricInfo implements AutoCloseable {

    private static final int NO_DATA = 61;
    private Pointer info;

    FabricInfo(Pointer info) {
        this.info = info;
    }

    /**
     * Asks the library for the way that it prefers.
     *
     * @throws FabricException if there is none, with the remedy
     */
    public static FabricInfo of(FabricQuery query) {
        Libfabric.require();
        Pointer hints = hints(query);
        try (FabricObject.Cell answer = new FabricObject.Cell()) {
            long flags = (query.local() ? Layout.FLAG_SOURCE : 0) | (query.node() == null ? 0 : Layout.FLAG_NUMERICHOST);
            String service = query.port() < 0 ? null : Integer.toString(query.port());
            int result = Libfabric.getinfo(Layout.API_VERSION, query.node(), service, flags, hints, answer.pointer());
            if (result == -NO_DATA) {
                throw new FabricException("No " + query + " on this host: see the output of fi_info for what there is");
            }
            FabricException.check("look up " + query, result);
            return ofExactProvider(answer.value(), query);
        } finally {
            Libfabric.freeinfo(hints);
        }
    }

    /** Takes the first of a list whose provider is not a layer over the one asked for, and frees the list. */
    private static FabricInfo ofExactProvider(Pointer list, FabricQuery query) {
        try {
            for (Pointer next = list; next != null; next = next.getPointer(Layout.INFO_NEXT)) {
                String provider = next.getPointer(Layout.INFO_FABRIC).getPointer(Layout.FABRIC_ATTR_PROV_NAME).getString(0);
                if (provider.equals(query.provider())) {
                    return new FabricInfo(Libfabric.dupinfo(next));
                }
            }
            throw new FabricException("No " + query + " on this host, only layers over it: name the layer in full, as fi_info prints it");
        } finally {
            Libfabric.freeinfo(list);
        }
    }

    private static Pointer hints(FabricQuery query) {
        // Only memory of the library's own is filled in: it grows with the library's version.
        Pointer hints = Libfabric.dupinfo(null);
        hints.setLong(Layout.INFO_CAPS, query.type().capability());
        hints.setLong(Layout.INFO_MODE, Layout.MODE_CONTEXT | Layout.MODE_CONTEXT2);
        hints.getPointer(Layout.INFO_EP).setInt(Layout.EP_ATTR_TYPE, query.type().number());
        Pointer domain = hints.getPointer(Layout.INFO_DOMAIN);
        domain.setInt(Layout.DOMAIN_ATTR_THREADING, Layout.THREAD_SAFE);
        domain.setInt(Layout.DOMAIN_ATTR_MR_MODE,
            Layout.MR_LOCAL | Layout.MR_VIRT_ADDR | Layout.MR_ALLOCATED | Layout.MR_PROV_KEY | Layout.MR_ENDPOINT);
        // The library frees the name together with the hints, so the C library must have allocated it.
        hints.getPointer(Layout.INFO_FABRIC).setPointer(Layout.FABRIC_ATTR_PROV_NAME, Libc.strdup(query.provider()));
        return hints;
    }

    /** The provider's name, for instance {@code tcp}. */
    public String provider() {
        return pointer().getPointer(Layout.INFO_FABRIC).getPointer(Layout.FABRIC_ATTR_PROV_NAME).getString(0);
    }

    /** Names the provider, network and device together: what has the same name can share a {@link Fabric} and a {@link Domain}. */
    public String domainName() {
        Pointer fabric = pointer().getPointer(Layout.INFO_FABRIC);
        Pointer domain = pointer().getPointer(Layout.INFO_DOMAIN);
        return provider() + " " + text(fabric.getPointer(Layout.FABRIC_ATTR_NAME)) + " " + text(domain.getPointer(Layout.DOMAIN_ATTR_NAME));
    }

    /** How many receives an endpoint can have posted. */
    public long receiveQueueSize() {
        return pointer().getPointer(Layout.INFO_RX).getLong(Layout.RX_ATTR_SIZE);
    }

    /** How many sends an endpoint can have in flight. */
    public long sendQueueSize() {
        return pointer().getPointer(Layout.INFO_TX).getLong(Layout.TX_ATTR_SIZE);
    }

    /** The name of the peer's endpoint, in the provider's format; empty if there is none. */
    public byte[] peerName() {
        Pointer name = pointer().getPointer(Layout.INFO_DEST_ADDR);
        return name == null ? new byte[0] : name.getByteArray(0, (int) pointer().getLong(Layout.INFO_DEST_ADDRLEN));
    }

    /** Whether buffers must be registered before they are sent from or received into. */
    public boolean needsLocalRegistration() {
        return (memoryMode() & Layout.MR_LOCAL) != 0;
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
        return pointer().getPointer(Layout.INFO_DOMAIN).getInt(Layout.DOMAIN_ATTR_MR_MODE);
    }

    Pointer pointer() {
        if (info == null) {
            throw new IllegalStateException("The information about the fabric is closed");
        }
        return info;
    }

    private static String text(Pointer name) {
        return name == null ? "" : name.getString(0);
    }
}
