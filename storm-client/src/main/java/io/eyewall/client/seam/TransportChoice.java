package io.eyewall.client.seam;

import org.apache.storm.messaging.IContext;

/** A transport that stands for one of several. */
public interface TransportChoice extends IContext {

    /** The transport that makes the connections; null before {@link #prepare}. */
    IContext chosen();
}
