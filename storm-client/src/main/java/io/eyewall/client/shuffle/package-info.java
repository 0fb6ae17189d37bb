/**
 * Shuffles: what share of the tuples each receiver gets, and in which order receivers take turns.
 *
 * <pre>
 * LocalShares ──► LoadCorrectedShuffle ──► TaskRing
 * </pre>
 */
package io.eyewall.client.shuffle;
