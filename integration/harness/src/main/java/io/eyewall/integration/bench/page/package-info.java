/**
 * Measurements as people read them: tables for a terminal and for a page, plots, and pages that show files of measurements.
 *
 * <pre>
 *   ReportPage  a page with markers --&gt; MeasurementTable, BarPlot: what stands between the markers, and the pictures
 * </pre>
 */
package io.eyewall.integration.bench.page;
