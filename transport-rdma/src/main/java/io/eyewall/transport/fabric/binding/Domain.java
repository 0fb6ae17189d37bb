package io.eyewall.transport.fabric.binding;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;

/** A device of a fabric. Opens endpoints, and the queues and memory that they use. */
public final class Domain extends FabricObject {

    private final Fabric fabric;
    private final boolean registersMemory;
    /** The key of the next memory region, for providers that do not choose keys themselves. */
    private long nextRegionKey = 1;

    Domain(Fabric fabric, FabricInfo info, Pointer fid) {
        super("domain " + info.domainName(), fid);
        this.fabric = fabric;
        this.registersMemory = info.needsLocalRegistration();
        if (registersMemory && (info.memoryMode() & StructLayout.MR_ENDPOINT) != 0) {
            close();
            throw new FabricException("Provider " + info.provider() + " requires buffers to be registered with each endpoint, which Eyewall"
                + " does not support: choose another provider");
        }
    }

    /**
     * Opens a queue of completed sends and receives.
     *
     * @param capacity how many completions it must hold
     * @param sleep how a thread will sleep on it
     * @throws FabricException if the provider does not support that
     */
    public CompletionQueue openCompletionQueue(int capacity, CompletionQueue.Sleep sleep) {
        try (Memory attributes = new Memory(StructLayout.CQ_ATTR_BYTES); Cell out = new Cell()) {
            attributes.clear();
            attributes.setLong(StructLayout.CQ_ATTR_SIZE, capacity);
            attributes.setInt(StructLayout.CQ_ATTR_FORMAT, StructLayout.CQ_FORMAT_MSG);
            attributes.setInt(StructLayout.CQ_ATTR_WAIT_OBJ, sleep.waitObject());
            operations().call("open a completion queue of " + this, StructLayout.DOMAIN_CQ_OPEN, fid(), attributes, out.pointer(), null);
            return new CompletionQueue(fabric, "completion queue of " + this, out.value());
        }
    }

    /** Opens an address vector for endpoints of type {@link EndpointType#TAGGED}. */
    public AddressVector openAddressVector() {
        try (Memory attributes = new Memory(StructLayout.AV_ATTR_BYTES); Cell out = new Cell()) {
            attributes.clear();
            attributes.setInt(StructLayout.AV_ATTR_TYPE, StructLayout.AV_MAP);
            operations().call("open an address vector of " + this, StructLayout.DOMAIN_AV_OPEN, fid(), attributes, out.pointer(), null);
            return new AddressVector("address vector of " + this, out.value());
        }
    }

    /**
     * Opens an endpoint. Bind its queues and enable it before use.
     *
     * @param info holds this end's address, the peer's address, or a request for a connection
     */
    public Endpoint openEndpoint(FabricInfo info) {
        try (Cell out = new Cell()) {
            operations().call("open an endpoint on " + info, StructLayout.DOMAIN_ENDPOINT, fid(), info.pointer(), out.pointer(), null);
            return new Endpoint("endpoint on " + info, info, out.value());
        }
    }

    /**
     * Maps zeroed, page-aligned memory, and registers it for sending and receiving if the provider requires that.
     *
     * @param sizeBytes rounded up to whole pages
     * @param hugePages whether to ask the system for huge pages; without them it maps ordinary ones
     */
    public MemoryRegion allocate(int sizeBytes, boolean hugePages) {
        if (!registersMemory) {
            return MemoryRegion.unregistered(sizeBytes, hugePages);
        }
        MappedMemory memory = MappedMemory.of(sizeBytes, hugePages);
        try (Cell out = new Cell()) {
            OperationTable.of("fi_ops_mr", fid(), StructLayout.DOMAIN_MR).call("register " + sizeBytes + " bytes with " + this,
                StructLayout.MR_REG, fid(), new Pointer(memory.address()), (long) sizeBytes,
                StructLayout.FLAG_SEND | StructLayout.FLAG_RECV, 0L, nextRegionKey++, 0L,
                out.pointer(), null);
            return new MemoryRegion(memory, out.value());
        } catch (FabricException e) {
            memory.close();
            throw e;
        }
    }

    private OperationTable operations() {
        return OperationTable.of("fi_ops_domain", fid(), StructLayout.OBJECT_OPS);
    }
}
