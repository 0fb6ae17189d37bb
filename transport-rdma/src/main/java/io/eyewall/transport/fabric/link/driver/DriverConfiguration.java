package io.eyewall.transport.fabric.link.driver;

import io.eyewall.transport.fabric.binding.EndpointType;

/**
 * Which endpoints a driver opens, and which buffers each link has.
 *
 * @param type connected or tagged endpoints; the same at both ends
 * @param provider the provider's name as {@code fi_info} prints it; the same at both ends
 * @param localAddress the numeric IP address to listen on and to send datagrams from, or null for any
 * @param sleeps whether the progress thread wants to sleep while there is nothing to do
 * @param hugePages whether to ask the system for huge pages
 * @param frameBytes the size of a buffer for data
 * @param receiveSlots buffers of that size to receive into, per link
 * @param sendSlots buffers of that size to send data from, per link
 * @param controlSlots small buffers to send all other frames from, per link
 */
public record DriverConfiguration(EndpointType type, String provider, String localAddress, boolean sleeps, boolean hugePages,
    int frameBytes, int receiveSlots, int sendSlots, int controlSlots) {

    /** All slots of a link. */
    int slots() {
        return receiveSlots + sendSlots + controlSlots;
    }
}
