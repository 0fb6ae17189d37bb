/**
 * Java objects over the C library libfabric (OpenFabrics Interfaces), bound with JNA. Each class stands for one concept of the library and
 * must be closed. Nothing here depends on links or on Storm.
 *
 * <pre>
 *   Fabric --- EventQueue        events of connections: requested, established, shut down
 *     |  \---- PassiveEndpoint   listens for connections
 *     |
 *   Domain --- CompletionQueue   completed sends and receives
 *     |  \---- MemoryRegion      memory that the hardware may read and write
 *     |   \--- AddressVector     peers of a datagram endpoint
 *     |
 *   Endpoint                     sends and receives; bound to the queues above
 * </pre>
 *
 * <p>Close objects in the opposite order: endpoints first, then queues, address vectors and memory regions, then the domain, then the
 * fabric. If an object is still in use, the library refuses to close it, and {@code close} throws a
 * {@link io.eyewall.transport.fabric.binding.FabricException}.
 *
 * <p>A class is for one thread at a time unless it says otherwise.
 */
package io.eyewall.transport.fabric.binding;
