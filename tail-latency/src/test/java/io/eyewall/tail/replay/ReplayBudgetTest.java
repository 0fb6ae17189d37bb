package io.eyewall.tail.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ReplayBudgetTest {

    private final ReplayBudget budget = new ReplayBudget(5);

    @Test
    void shouldAllowSoManyPercentOfWhatWasEmitted() {
        emit(19);
        assertEquals(0, takeAll());
        emit(1);
        assertEquals(1, takeAll());
        emit(110);
        assertEquals(5, takeAll(), "six of 130, of which one is used up");
    }

    @Test
    void shouldAllowAsManyAsInThePeriodBeforeWhenNothingNewCanBeEmitted() {
        emit(100);
        assertEquals(5, takeAll());
        budget.endPeriod();
        assertEquals(5, takeAll());
        emit(20);
        assertEquals(0, takeAll());
        emit(100);
        assertEquals(1, takeAll());
    }

    @Test
    void shouldKeepWhatIsLeftWhenNothingIsEmitted() {
        emit(100);
        budget.endPeriod();
        assertEquals(5, takeAll());
        budget.endPeriod();
        budget.endPeriod();
        assertEquals(0, takeAll(), "used up, and nothing emitted since");
        emit(40);
        budget.endPeriod();
        emit(40);
        budget.endPeriod();
        budget.endPeriod();
        assertEquals(2, takeAll());
    }

    @Test
    void shouldAllowAsManyAsBeforeWhenTheLastPeriodOfABurstHasFew() {
        emit(100);
        budget.endPeriod();
        emit(1);
        budget.endPeriod();
        assertEquals(5, takeAll());
        emit(20);
        budget.endPeriod();
        assertEquals(1, takeAll(), "the burst is three periods ago");
    }

    private void emit(int messages) {
        for (int i = 0; i < messages; i++) {
            budget.emitted();
        }
    }

    private int takeAll() {
        int taken = 0;
        while (budget.take()) {
            taken++;
        }
        return taken;
    }
}
