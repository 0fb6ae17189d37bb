/**
 * Reports what a worker has recorded. Once per interval one thread empties the recorders. Their values go into the interval log, into the
 * gauges of Storm's metrics, and into the sums that the worker's endpoint serves.
 *
 * <pre>
 *  HopRecorder ┐                  ┌─ IntervalLog       latency.hlog beside worker.log
 *  HopRecorder ┼─ HopCollector ───┼─ HopGauges         StormMetricRegistry, so every reporter
 *  …           ┘    │ sums        └─ …
 *                   └─ LatencyEndpoint ─┬─ /metrics    PrometheusHops
 *                                       └─ /latency    LatencyPage, which `storm latency` reads
 * </pre>
 *
 * <p>The endpoint of a container with a stream manager (ContainerPages) adds up what its instances serve in this way.
 *
 * <p>No code here runs on a tuple's thread, and no failure here ends the worker.
 */
package io.eyewall.tail.output;
