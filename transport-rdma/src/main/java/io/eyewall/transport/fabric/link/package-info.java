/**
 * Ordered, reliable links between processes over libfabric, for messages of any size, with credits. Nothing here depends on Storm.
 *
 * <pre>
 *   any thread                           progress thread of a LinkGroup
 *   ----------                           ------------------------------
 *   Link.send                            completed receive
 *     | packs messages into frames         | restores the order of frames
 *     v                                    v
 *   FrameSender -- registered buffer --> FrameReceiver -- reads messages --> LinkHandler
 *     ^    one credit per frame             |
 *     +------- credits come back ----------+  in every frame, or in a frame of their own
 * </pre>
 *
 * <p>{@code frame} encodes and decodes what links send, {@code driver} moves it through libfabric; neither depends on this package.
 *
 * <p>Buffers, credits and fragments follow S. Kamburugamuve, K. Ramasamy, M. Swany and G. Fox, "Low Latency Stream Processing: Twitter
 * Heron with Infiniband and Omni-Path", sections 4.2 to 4.5: equal-sized registered buffers in one pool per direction; as many credits as
 * posted receives; credits returned in four bytes of every message, or in a message of their own when half of them are used and there is
 * nothing else to send; tags of source and destination where there are no connections. In contrast to the paper, small messages share a
 * frame.
 */
package io.eyewall.transport.fabric.link;
