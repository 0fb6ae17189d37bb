/**
 * The messages between an instance and the stream manager of its container, and what stream managers report to each other. Tuples go as
 * frames, or as single messages, whose bytes a stream manager passes on without reading them.
 */
package io.eyewall.client.stream.wire;
