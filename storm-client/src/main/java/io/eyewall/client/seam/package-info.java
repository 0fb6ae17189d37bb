/**
 * The seams between upstream's worker and Eyewall: each interface here stands for one decision that upstream's worker takes,
 * and answers with upstream's own object unless a {@link io.eyewall.client.seam.WorkerFeature} says otherwise.
 *
 * <pre>
 *   upstream class (woven)  -->  SeamEntry  -->  WorkerSeams of that worker  -->  feature ... --> feature --> upstream's object
 * </pre>
 *
 * <p>Every seam is a factory: it is asked when a worker is put together, never per tuple.
 */
package io.eyewall.client.seam;
