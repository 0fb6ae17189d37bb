/** What workers say about themselves at the endpoint of latency recording: asking for a page, and reading the one on JVM and latencies. */
package io.eyewall.core.watch;
