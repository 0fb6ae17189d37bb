package io.eyewall.elasticity.slo;

/**
 * What a topology's current performance is worth, as a share of its maximum utility (Xu's thesis, section 3.3). It never falls as the
 * performance comes closer to the threshold, and it is 1 from the threshold on. It need not be continuous.
 *
 * <p>A topology can name a class of its own that implements this interface. Such a class needs a public constructor without parameters. It
 * must return the same value for the same argument, and must be safe for use by several threads.
 */
@FunctionalInterface
public interface UtilityFunction {

    /**
     * The share of the maximum utility.
     *
     * @param attainment how far the threshold is attained, from 0 to 1, see {@link SloMetric#attainment}
     * @return from 0 to 1; 1 for an attainment of 1
     */
    double share(double attainment);
}
