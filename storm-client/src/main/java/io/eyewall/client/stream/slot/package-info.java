/** What each process of a container knows of its slot: the arguments, the topology and its assignment, and its parent container. */
package io.eyewall.client.stream.slot;
