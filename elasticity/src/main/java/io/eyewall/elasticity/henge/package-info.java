/**
 * Decides which topologies of a cluster get executors and which give some up, so that each keeps its SLO as far as possible: the adaptation
 * state machine of Henge (Le Xu, Elastic techniques to handle dynamism in real-time data processing systems, University of Illinois, 2021,
 * sections 3.2 and 3.3).
 *
 * <pre>
 *  Observation --+
 *                +--&gt; HengePlanner.step --&gt; HengeStep: the next HengeState, the HengePlan to be applied, HengeEvents for the log
 *  HengeState  --+         |
 *    ^                     +-- Remedies: what would help (Congestion, SlowExecutors, ClusterDraft)
 *    +---------------------+-- Assessment: what has helped (Drift)
 * </pre>
 *
 * One step at a time: a plan is made, applied, given time to settle, and judged before the next one is made. All state is in
 * {@link io.eyewall.elasticity.henge.HengeState}, which is a value that can be stored. A planner that is given a stored state continues
 * where the other one stopped.
 */
package io.eyewall.elasticity.henge;
