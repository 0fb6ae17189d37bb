/**
 * The bytes that links send to each other: frames with a header, messages packed into frames, and the hello that opens a link. Pure
 * encoding and decoding, without threads and without libfabric.
 *
 * <pre>
 *   messages -- FrameWriter --> frame: FrameHeader | address, length, bytes | address, length, bytes | ... -- FrameReader --> messages
 * </pre>
 */
package io.eyewall.transport.fabric.link.frame;
