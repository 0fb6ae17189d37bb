/**
 * Changes the executors of a worker while it runs. {@link io.eyewall.client.hot.TopologyView} decides which step may be taken when, {@link
 * io.eyewall.client.hot.RebalanceConductor} takes it, and {@link io.eyewall.client.hot.HotRebalanceFeature} joins both to a worker.
 *
 * <pre>
 *   Nimbus ── assignment ──┐                ┌── announcements of the other workers
 *                          ▼                ▼
 *   ZooKeeper ─ watch ─ RebalanceConductor: TopologyView, ExecutorChange
 *                          │    │     └── AnnouncementBoard: what this worker announces
 *       WorkerQueues ◄─────┘    └───────► LeavingExecutors, MovableExecutor: an executor quiesces, leaves, starts
 *       PeerConnections                   Forwarder: tuples that came to the wrong worker
 *                                         Departure: when a worker without executors may end
 * </pre>
 */
package io.eyewall.client.hot;
