/**
 * Switches the techniques that keep the tail short on where they help, and off where they do not, while a worker runs: what Guangxiang Du,
 * <em>New techniques to lower the tail latency in stream processing systems</em> (University of Illinois, 2016), names as future work, by
 * the conditions of its table 5.4.
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
 */
package io.eyewall.tail.auto;
