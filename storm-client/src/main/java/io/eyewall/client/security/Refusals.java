package io.eyewall.client.security;

import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.thrift.TApplicationException;
import org.apache.storm.utils.WrappedAuthorizationException;

/**
 * How a refusal of Nimbus comes to its client where the operation declares no {@link AuthorizationException}: Thrift replaces what is not
 * declared by an "Internal error". Every Thrift client can read what is sent here, with its message; ours makes the refusal of it again.
 * Safe for any thread.
 */
public final class Refusals {

    /** A type that none of Thrift's own exceptions has. */
    private static final int REFUSED = 403;

    private Refusals() {
    }

    /** After an operation in Nimbus: what its client gets. Null if it has not failed. */
    public static Throwable sent(Throwable failure) {
        return failure instanceof AuthorizationException refusal ? new TApplicationException(REFUSED, refusal.get_msg()) : failure;
    }

    /** After a client has read an answer: what its caller gets. Null if there is a result. */
    public static Throwable received(Throwable failure) {
        return failure instanceof TApplicationException refusal && refusal.getType() == REFUSED
            ? new WrappedAuthorizationException(refusal.getMessage()) : failure;
    }
}
