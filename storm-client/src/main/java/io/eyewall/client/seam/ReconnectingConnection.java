package io.eyewall.client.seam;

import org.apache.storm.messaging.IConnection;

/** A connection that is made again by itself when it is lost. Storm's own is made again only when it is given a message, which it drops. */
public interface ReconnectingConnection extends IConnection {
}
