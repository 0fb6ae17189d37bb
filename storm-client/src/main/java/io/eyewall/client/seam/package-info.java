/**
 * The seams between upstream's worker and Eyewall, as a feature sees them. Each interface stands for one decision that upstream's worker
 * takes. It returns upstream's own object unless a {@link io.eyewall.client.seam.WorkerFeature} replaces it.
 *
 * <pre>
 *   upstream class (woven)  -->  seam.woven  -->  WorkerSeams of that worker  -->  feature ... --> feature --> upstream's object
 * </pre>
 *
 * <p>Most seams are factories: they are asked when a worker is put together or changes, or when a topology is submitted. These are used
 * for every tuple or batch: {@link io.eyewall.client.seam.ReceivingQueue}, {@link io.eyewall.client.seam.Stamped},
 * {@link io.eyewall.client.seam.TupleWire}, {@link io.eyewall.client.seam.ExecutorProbe} and {@link io.eyewall.client.seam.QueueProbe}.
 * Where no feature watches, each costs a type check, or a field read and a null check. {@code ARCHITECTURE.md} lists all seams.
 */
package io.eyewall.client.seam;
