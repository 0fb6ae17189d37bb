/**
 * The process of a stream manager: it passes tuples between the instances of its container and to the stream managers of other containers,
 * and decides who is held back.
 */
package io.eyewall.client.stream.manager;
