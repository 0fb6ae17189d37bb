/**
 * Storm's messaging between workers over libfabric: {@link io.eyewall.transport.fabric.FabricContext}, its two kinds of connection, and
 * their settings. The connections use links ({@link io.eyewall.transport.fabric.link}), which do not depend on Storm.
 *
 * <pre>
 *   transfer thread --TaskMessages--> FabricClient == link ==> FabricServer --> IConnectionCallback of the other worker
 *                     loads, back-pressure &lt;--------- link ------- FeedbackMessages
 * </pre>
 */
package io.eyewall.transport.fabric;
