/**
 * Switches the techniques against the tail in a running worker: each is on while it helps, and off while it does not. Guangxiang Du,
 * <em>New techniques to lower the tail latency in stream processing systems</em> (University of Illinois, 2016), names this as future work;
 * the conditions are those of its table 5.4.
 *
 * <pre>
 *   every period: utilisation of bolts, latencies of tasks (io.eyewall.tail.balance), CPU ──► TechniqueConditions
 *                                                                                               │ for it, against it
 *   ReplayingSpout, SharedTuples, WeightedShuffle ◄── is it on? ── TechniqueSwitch ◄────────────┘
 * </pre>
 *
 * <p>{@link io.eyewall.tail.auto.TechniqueConditions} and {@link io.eyewall.tail.auto.TechniqueSwitch} decide,
 * {@link io.eyewall.client.settings.tail.TailConfiguration} has the setting, {@link io.eyewall.tail.auto.TechniqueSwitches}
 * joins them to a worker.
 *
 * <p>Or the cluster's scheduler decides: {@link io.eyewall.tail.auto.OrderReader} reads its orders in ZooKeeper, and switches follow them.
 */
package io.eyewall.tail.auto;
