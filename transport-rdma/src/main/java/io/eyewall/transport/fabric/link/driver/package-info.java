/**
 * Moves the frames of links between their buffers and libfabric, over connected or tagged endpoints. A driver does not know of messages and
 * credits: it reports completed sends and receives to a {@link io.eyewall.transport.fabric.link.driver.DriverLink}.
 *
 * <pre>
 *   EndpointDriver --- ConnectedEndpointDriver   one endpoint per link, connections made through libfabric's events
 *     |            \-- TaggedEndpointDriver      one endpoint for all links, peers found through TcpHandshakes
 *     |
 *   NetworkDevice       completion queues of one device; finds the link of a completion in the OperationContextTable
 *   LinkBuffers         the registered buffers of one link; a slot is the number of a buffer and its operation context
 *   FrameChannel        posts sends and receives of one link
 *   Sleeper             lets the progress thread sleep until the provider has something
 * </pre>
 */
package io.eyewall.transport.fabric.link.driver;
