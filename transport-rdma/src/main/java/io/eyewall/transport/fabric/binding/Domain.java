package io.eyewall.transport.fabric.binding;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;

/** A device of a fabric, in which endpoints and what they use are opened. */
public final class Domain extends FabricObject {

    private final Fabric fabric;
    private final boolean registersMemory;
    /** The next key of a memory region, for providers that do not choose it themselves. */
    private long nextRegionKey = 1;

    Domain(Fabric fabric, FabricInfo info, Pointer fid) {
        super("domain " + info.domainName(), fid);
        this.fabric = fabric;
        this.registersMemory = info.needsLocalRegistration();
        if (registersMemory && (info.memoryMode() & StructLayout.MR_ENDPOINT) != 0) {
            close();
            throw new FabricException("Provider " + info.provider() + " wants local buffers registered with each endpoint, which is not"
                + " supported: choose another provider");
        }
    }

    /**
     * Opens a queue of finished sends and receives.
     *
     * @param capacity how many completions it must hold
     * @param sleep how a thread wants to sleep on it
     * @throws FabricException if the provider cannot do that
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

    /** Opens a table of peers for endpoints of type {@link EndpointType#TAGGED}. */
    public AddressVector openAddressVector() {
        try (Memory attributes = new Memory(StructLayout.AV_ATTR_BYTES); Cell out = new Cell()) {
            attributes.clear();
            attributes.setInt(StructLayout.AV_ATTR_TYPE, StructLayout.AV_MAP);
            operations().call("open an address vector of " + this, StructLayout.DOMAIN_AV_OPEN, fid(), attributes, out.pointer(), null);
            return new AddressVector("address vector of " + this, out.value());
        }
    }

    /**
     * Opens an endpoint. It must be bound to its queues and enabled before use.
     *
     * @param info our own address, the peer's, or a request for a connection
     */
    public Endpoint openEndpoint(FabricInfo info) {
        try (Cell out = new Cell()) {
            operations().call("open an endpoint on " + info, StructLayout.DOMAIN_ENDPOINT, fid(), info.pointer(), out.pointer(), null);
            return new Endpoint("endpoint on " + info, info, out.value());
        }
    }

    /**
     * Maps zeroed, page-aligned memory and registers it for sending and receiving where the provider asks for that.
     *
     * @param sizeBytes rounded up to whole pages
     * @param hugePages whether to ask the system for huge pages, which it gives if it can
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
