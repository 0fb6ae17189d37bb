/**
 * The messages between an instance and the stream manager of its container, and what stream managers report to each other. Tuples go as
 * frames, or as single messages, whose bytes a stream manager passes on without reading them.
 *
 * <pre>
 *  instance                                                    stream manager
 *  Introduction ─ greeting, with the name of two rings ─ socket ─► opens them
 *               ◄─────────────────── answer ────────── socket ─
 *  RingChannel  ─ messages ─► ring ─────────────────────────────► RingChannel
 *               ◄───────────────────────────── ring ◄─ messages ─
 *               ─ signs that wake a reader ─────────── socket ─►
 * </pre>
 */
package io.eyewall.client.stream.wire;
