package io.eyewall.elasticity.slo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UtilityFunctionsTest {

    @ParameterizedTest
    @CsvSource({
        "knee, 0.75, 0.75",
        "linear, 0.5, 0",
        "linear, 0.75, 0.5",
        "linear 0.2, 0.6, 0.5",
        "linear 0, 0.3, 0.3",
        "step, 0.999, 0",
        "step, 1, 1",
        "step 0.5:0.3 0.8:0.6, 0.49, 0",
        "step 0.5:0.3 0.8:0.6, 0.5, 0.3",
        "step 0.5:0.3 0.8:0.6, 0.9, 0.6",
        "step 0.5:0.3 0.8:0.6, 1, 1",
        "points 0.5:0 0.9:0.5 1:1, 0.4, 0",
        "points 0.5:0 0.9:0.5 1:1, 0.7, 0.25",
        "points 0.5:0 0.9:0.5 1:1, 0.95, 0.75",
        "points 0.5:0.2 0.5:0.6 1:1, 0.49, 0.2",
        "points 0.5:0.2 0.5:0.6 1:1, 0.75, 0.8",
        "points 1:1, 0.2, 1",
        "lognormal, 0, 0",
        "lognormal 0 1, 1, 1",
        "lognormal 0 1, 0.36787944, 0.31731",
        "class io.eyewall.elasticity.slo.UtilityFunctionsTest$Squared, 0.5, 0.25"})
    void shouldComputeTheShare(String description, double attainment, double share) {
        assertEquals(share, UtilityFunctions.parse(description).share(attainment), 1e-5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"knee", "linear", "linear 0", "step", "step 0.1:0.9", "points 0:0 1:1", "points 0.2:0.2 0.2:0.9 1:1",
        "points 1:1", "lognormal", "lognormal 0 2", "lognormal -2 0.1"})
    void shouldBeMonotonicAndReachOne(String description) {
        UtilityFunctions.check(UtilityFunctions.parse(description));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
        "best | there is no utility function 'best': write one of knee; linear [ZERO]",
        "knee 3 | knee has no parameters, not 3",
        "linear 1 | linear 1.0: the attainment without utility must be at least 0 and below 1",
        "linear a | 'a' is not a number",
        "linear 0.1 0.2 | linear has 1 parameter(s) or none, not 2",
        "step 0.5 | '0.5' is not ATTAINMENT:SHARE",
        "step 0.5:1.5 | '0.5:1.5': both numbers must be from 0 to 1",
        "step 0.5:NaN | 'NaN' is not a finite number",
        "points | the last of the points must be 1:1",
        "points 0:0 0.9:0.9 | the last of the points must be 1:1",
        "points 0:0.5 0.5:0.4 1:1 | points is not monotonic: '0.5:0.4' comes after '0.0:0.5'",
        "step 0.5:0.3 0.4:0.6 | step is not monotonic: '0.4:0.6' comes after '0.5:0.3'",
        "lognormal 0 0 | the second parameter must be above 0",
        "lognormal 0 -1 | the second parameter must be above 0",
        "class | write class and the name of one class",
        "class no.Such | there is no class no.Such on the class path of Nimbus",
        "class java.lang.String | class java.lang.String does not implement io.eyewall.elasticity.slo.UtilityFunction",
        "class io.eyewall.elasticity.slo.UtilityFunctionsTest$Falling | it is not monotonic: at attainment 0.501 it falls from 1.0 to 0.0",
        "class io.eyewall.elasticity.slo.UtilityFunctionsTest$Low | its share is 0.5 at attainment 1, but must be 1 when the SLO is met",
        "class io.eyewall.elasticity.slo.UtilityFunctionsTest$Unknown | its share is NaN at attainment 0.0",
        "class io.eyewall.elasticity.slo.UtilityFunctionsTest$Failing | cannot be used: java.lang.IllegalStateException: no"})
    void shouldSayWhatIsWrong(String description, String reason) {
        IllegalArgumentException wrong = assertThrows(IllegalArgumentException.class, () -> UtilityFunctions.parse(description));

        assertTrue(wrong.getMessage().contains(reason), wrong.getMessage());
    }

    @Test
    void shouldAgreeWithTablesOfTheNormalDistribution() {
        List<double[]> table = List.of(new double[] {0, 0.5}, new double[] {1, 0.8413447}, new double[] {-1.5, 0.0668072},
            new double[] {2, 0.9772499}, new double[] {-3, 0.0013499});
        table.forEach(row -> assertEquals(row[1], StandardNormal.distribution(row[0]), 1e-7));
    }

    /** A user's class. */
    public static final class Squared implements UtilityFunction {
        @Override
        public double share(double attainment) {
            return attainment * attainment;
        }
    }

    /** A user's class that falls. */
    public static final class Falling implements UtilityFunction {
        @Override
        public double share(double attainment) {
            return attainment <= 0.5 || attainment == 1 ? 1 : 0;
        }
    }

    /** A user's class that does not reach 1. */
    public static final class Low implements UtilityFunction {
        @Override
        public double share(double attainment) {
            return attainment / 2;
        }
    }

    /** A user's class that returns no number. */
    public static final class Unknown implements UtilityFunction {
        @Override
        public double share(double attainment) {
            return Double.NaN;
        }
    }

    /** A user's class that throws. */
    public static final class Failing implements UtilityFunction {
        @Override
        public double share(double attainment) {
            throw new IllegalStateException("no");
        }
    }
}
