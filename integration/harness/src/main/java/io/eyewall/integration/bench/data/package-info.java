/**
 * Measurements as data: the one format of the CSV files that {@code storm bench} writes and that are committed under {@code benchmarks/}.
 *
 * <pre>
 *   MeasurementFile  a CSV file  --&gt; Measurements (many Measurement: one line, with its Circumstances and a figure for each Quantity)
 *                                        `--&gt; Spread: median, minimum and maximum of a side's rounds, and of their ratios
 * </pre>
 */
package io.eyewall.integration.bench.data;
