/**
 * Acking without messages to ackers: each spout executor keeps a ledger of its own messages, and bolts send their acks there in batches.
 *
 * <pre>
 *   spout.emit ── LedgerSpoutCollector ── PendingMessages (Ledger: root -> XOR of outstanding tuple ids)   no message
 *   bolt.ack ──── LedgerBoltCollector ─── AckOutbox, one buffer per spout task
 *                                             └ AckBatch, in one tuple, when the buffer is full or the bolt's input runs dry
 *                                                 └ the spout executor's queue ── PendingMessages ── spout.ack, spout.fail
 * </pre>
 *
 * <p>A root id holds the spout task that made it ({@link io.eyewall.client.acking.RootIds}), so every executor knows where its ledger is.
 */
package io.eyewall.client.acking;
