/** The settings of a topology's tail latency that schedulers read, too. Those that only workers read are in {@code tail-latency}. */
package io.eyewall.client.settings.tail;
