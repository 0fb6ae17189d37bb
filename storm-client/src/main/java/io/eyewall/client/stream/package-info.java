/**
 * The stream-manager mode of a topology: a slot runs a container of several processes in place of one worker. Each container has one stream
 * manager, and an instance for each executor or for a few. Instances talk to the stream manager of their container, and stream managers to
 * each other. This package has the settings; {@code plan} which executor runs in which instance, {@code wire} the messages between an
 * instance and its stream manager, and {@code container}, {@code manager} and {@code instance} the three kinds of processes.
 *
 * <p>After Heron: S. Kulkarni et al., Twitter Heron: Stream Processing at Scale, SIGMOD 2015.
 */
package io.eyewall.client.stream;
