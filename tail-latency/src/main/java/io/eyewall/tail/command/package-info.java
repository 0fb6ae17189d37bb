/**
 * {@code storm latency}: asks every worker of a topology for the values that {@link io.eyewall.tail.recording} has recorded, and shows
 * them in one table. It runs where {@code bin/storm} runs, with storm-core on its class path; no worker loads it.
 *
 * <pre>
 *  Nimbus ── RunningTopology ──┐
 *                              ├── LatencyCommand ── WorkerSnapshot of each ── LatencyTable
 *  workers ── WorkerEndpoints ─┘                  (later - earlier)
 * </pre>
 */
package io.eyewall.tail.command;
