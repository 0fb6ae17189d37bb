package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.eyewall.client.stream.wire.Moves;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExchangeTest {

    private final List<Boolean> changes = new ArrayList<>();
    private final Exchange exchange = new Exchange(changes::add);

    @Test
    void shouldRestWhenAllThatItWasHandedHasBeenExecuted() {
        exchange.handed();
        exchange.handed();
        exchange.reported(Moves.ofRest(1, 1));
        exchange.reported(Moves.NONE);
        assertEquals(List.of(), changes);

        exchange.reported(Moves.ofRest(1, 2));
        exchange.reported(Moves.ofRest(1, 2));
        exchange.reported(Moves.NONE);
        assertEquals(List.of(true), changes);
    }

    @Test
    void shouldGoOnWithTheNextTupleInEitherDirection() {
        exchange.goesOn();
        exchange.reported(Moves.ofRest(1, 0));
        exchange.goesOn();
        exchange.reported(Moves.ofRest(1, 0));
        exchange.handed();
        exchange.reported(Moves.ofRest(1, 0));

        assertEquals(List.of(true, false, true, false), changes);
    }
}
