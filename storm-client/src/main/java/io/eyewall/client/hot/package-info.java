/**
 * Changing the executors of a worker that goes on running. {@link io.eyewall.client.hot.TopologyView} decides what may be done when,
 * {@link io.eyewall.client.hot.WorkerMoves} does it, {@link io.eyewall.client.hot.HotRebalanceFeature} is where it joins a worker.
 *
 * <pre>
 *   Nimbus ── assignment ──┐               ┌── announcements of the other workers
 *                          ▼               ▼
 *   ZooKeeper ─ watch ─ WorkerMoves: TopologyView, ExecutorChange
 *                          │    │    └── Board: what this worker announces
 *        WorkerParts ◄─────┘    └─────► MovableExecutor: quiesces, leaves; starts
 *        (queues, heartbeats,           Forwarder: tuples that came to the wrong worker
 *         connections)
 * </pre>
 */
package io.eyewall.client.hot;
