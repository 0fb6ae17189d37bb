package io.eyewall.transport.fabric.binding;

/** The types of endpoint that this binding supports, with the library's number and the capability that each needs. */
public enum EndpointType {

    /** Connected endpoints that exchange messages in order (FI_EP_MSG), which suit InfiniBand. */
    CONNECTED(1, StructLayout.CAP_MSG),

    /** Endpoints that send reliable datagrams with tags to addresses (FI_EP_RDM), which suit Omni-Path. */
    TAGGED(3, StructLayout.CAP_TAGGED);

    private final int number;
    private final long capability;

    EndpointType(int number, long capability) {
        this.number = number;
        this.capability = capability;
    }

    int number() {
        return number;
    }

    long capability() {
        return capability;
    }
}
