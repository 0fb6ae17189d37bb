/**
 * Reading what measuring tasks write, and showing it: tables, a live view, plots.
 *
 * <pre>
 *   NAME.hlog --LineTail--> HlogReader ----+                        +--> LiveRun --> LiveTable      (one line a second, a summary)
 *   NAME.csv  --LineTail--> CounterReader -+--> MeasureDirectory ---+
 *   FILE.hlog --LineTail--> HlogReader ------------------------------> LatencyPlot                  (SVG or PNG)
 * </pre>
 *
 * <p>Latencies are in nanoseconds, timestamps in milliseconds since the epoch. Nothing here is thread-safe unless it says so.
 */
package io.eyewall.core.report;
