/**
 * Ordered, reliable links between processes over libfabric, for messages of any size, with credits. Nothing here knows Storm.
 *
 * <pre>
 *   any thread                        progress thread of a LinkGroup
 *   ----------                        ------------------------------
 *   Link.send                         completion of a receive
 *     | packs messages into frames      | puts frames in order
 *     v                                 v
 *   FrameSender -- registered frame -->  FrameReceiver -- takes messages out --> LinkHandler
 *     ^    one credit each              |
 *     +------- credits come back -------+  in every frame, or in one of their own
 * </pre>
 *
 * <p>Buffers, credits and fragments follow S. Kamburugamuve, K. Ramasamy, M. Swany and G. Fox, "Low Latency Stream Processing: Twitter
 * Heron with Infiniband and Omni-Path", sections 4.2 to 4.5: equal-sized registered buffers in one pool per direction; as many credits as
 * receives posted; the number of credits returned in every message, in four bytes, or in a message of its own when half is used up and
 * nothing else is to be sent; tags of source and destination where there are no connections. Unlike there, small messages share a frame.
 */
package io.eyewall.transport.fabric.link;
