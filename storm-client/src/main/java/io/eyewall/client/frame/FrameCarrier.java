package io.eyewall.client.frame;

import org.apache.storm.messaging.IConnection;

/** A connection whose other end always reads frames, so that nothing has to be agreed. */
public interface FrameCarrier extends IConnection {
}
