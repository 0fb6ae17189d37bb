/**
 * What topologies did before: a sample of each every ten seconds, in a store of the UI's own.
 *
 * <pre>
 * Nimbus ── Sampler ── PageSamples ── HistoryStore ── Series ── JSON
 *           each 10 s  counters that  RocksDB         rates, latencies
 *                      never fall
 * </pre>
 */
package io.eyewall.web.history;
