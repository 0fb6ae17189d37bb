package io.eyewall.transport.fabric.binding;

/** The two types of endpoint that this binding uses, with the library's number and the capability that each needs. */
public enum EndpointType {

    /** Connected endpoints that exchange messages in order, set up through events: the way of InfiniBand. FI_EP_MSG. */
    CONNECTED(1, StructLayout.CAP_MSG),

    /** Reliable datagrams that carry a tag, sent to addresses: the way of Omni-Path. FI_EP_RDM. */
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
