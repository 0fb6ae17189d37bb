/**
 * Measures only the transport of tuples between workers: {@code storm bench transport/ping-pong} and {@code transport/stream}. Two
 * processes on the class path of a worker exchange messages through Storm's messaging interface. libfabric's C program {@code fi_pingpong}
 * is measured beside them.
 *
 * <pre>
 *   TransportBench --each round and side--&gt; ProbePair: two processes of TransportProbe --&gt; figures by size --&gt; Measurements
 *                \-----------------------&gt; FiPingpong: two processes of fi_pingpong
 * </pre>
 */
package io.eyewall.integration.bench.transport;
