package io.eyewall.elasticity.slo;

/** The standard normal distribution. */
final class StandardNormal {

    private static final double[] COEFFICIENTS = {0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429};
    private static final double SCALE = 0.2316419;

    private StandardNormal() {
    }

    /**
     * The distribution function, with an error below 7.5e-8 (Abramowitz and Stegun, Handbook of mathematical functions, 1964, formula
     * 26.2.17). Example: 0.97725 for 2.
     */
    static double distribution(double x) {
        if (x < 0) {
            return 1 - distribution(-x);
        }
        double t = 1 / (1 + SCALE * x);
        double polynomial = 0;
        for (int i = COEFFICIENTS.length - 1; i >= 0; i--) {
            polynomial = (polynomial + COEFFICIENTS[i]) * t;
        }
        return 1 - Math.exp(-x * x / 2) / Math.sqrt(2 * Math.PI) * polynomial;
    }
}
