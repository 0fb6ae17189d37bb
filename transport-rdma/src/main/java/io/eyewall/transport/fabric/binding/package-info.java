/**
 * Java objects over the C library libfabric (OpenFabrics Interfaces), bound with JNA. One class per concept of the library, each with an
 * explicit lifetime; nothing here knows frames, credits or Storm.
 *
 * <pre>
 *   Fabric --- EventQueue        connections: requested, established, shut down
 *     |  \---- PassiveEndpoint   listens
 *     |
 *   Domain --- CompletionQueue   finished sends and receives
 *     |  \---- MemoryRegion      what the hardware may read and write
 *     |   \--- AddressVector     peers of a datagram endpoint
 *     |
 *   Endpoint                     sends and receives; bound to the queues above
 * </pre>
 *
 * <p>Close in the opposite order: endpoints first, then queues, vectors and regions, then the domain, then the fabric. The library refuses
 * to close what is still in use, and that refusal is thrown as a {@link io.eyewall.transport.fabric.binding.FabricException}.
 *
 * <p>A class is not safe for use by several threads unless it says so.
 */
package io.eyewall.transport.fabric.binding;
