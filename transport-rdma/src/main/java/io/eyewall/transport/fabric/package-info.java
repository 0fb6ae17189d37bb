/**
 * Storm's messaging between workers over libfabric: {@link io.eyewall.transport.fabric.FabricContext}, its two kinds of connection, and
 * their settings. The links underneath are in {@link io.eyewall.transport.fabric.link}, which knows nothing of Storm.
 *
 * <pre>
 *   transfer thread --TaskMessages--> FabricClient == link ==> FabricServer --> IConnectionCallback of the other worker
 *                     remote status &lt;--------------- link ------- loads, back-pressure
 * </pre>
 */
package io.eyewall.transport.fabric;
