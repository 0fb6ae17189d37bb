/**
 * A ring of bytes in memory that two processes of one host share, and a doorbell for a reader that sleeps. Two workers have a ring for each
 * connection; an instance and its stream manager have two, whose doorbell is their connection itself.
 *
 * <pre>
 *  writer's thread ─ bytes ─► SharedRing (a file in /dev/shm, unlinked) ─► reader's thread
 *        └ if the reader sleeps: a byte ─► Unix domain socket ──────────────┘
 * </pre>
 */
package io.eyewall.client.ring;
