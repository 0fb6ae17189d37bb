/**
 * {@code storm latency}: asks every worker of a topology for what {@link io.eyewall.tail.recording} has recorded, and shows all of it as
 * one table. Runs where {@code bin/storm} does, with storm-core on its class path; no worker loads it.
 *
 * <pre>
 *  Nimbus ── RunningTopology ──┐
 *                              ├── LatencyCommand ── WorkerSnapshot of each ── LatencyTable
 *  workers ── WorkerEndpoints ─┘                  (later - earlier)
 * </pre>
 */
package io.eyewall.tail.command;
