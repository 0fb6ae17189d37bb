package io.eyewall.integration.system;

import org.hamcrest.CustomMatcher;

/** Holds for a number that is the same as when it was last asked about. */
final class Unchanged extends CustomMatcher<Integer> {

    private Integer previous;

    Unchanged() {
        super("the same number as before");
    }

    @Override
    public boolean matches(Object number) {
        boolean same = number.equals(previous);
        previous = (Integer) number;
        return same;
    }
}
