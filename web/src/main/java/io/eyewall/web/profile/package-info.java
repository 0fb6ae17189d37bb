/**
 * Where workers spend their time: {@code storm profile}, and flame graphs of what their profilers have recorded.
 *
 * <pre>
 *   ProfileCommand -> Nimbus -> Supervisor -> bin/flight.bash -> the worker's directory of logs
 *         |                                                              |
 *     FlameGraph  <-  WorkerFiles  <-  the same host, or its logviewer  <-+
 * </pre>
 */
package io.eyewall.web.profile;
