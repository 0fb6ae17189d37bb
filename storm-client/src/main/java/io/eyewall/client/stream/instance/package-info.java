/**
 * The process of an instance: one of Storm's workers with a part of the executors, whose transport leads to the stream manager of its
 * container.
 */
package io.eyewall.client.stream.instance;
