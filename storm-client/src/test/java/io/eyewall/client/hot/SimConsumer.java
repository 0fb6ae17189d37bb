package io.eyewall.client.hot;

import java.util.function.Consumer;
import org.apache.storm.utils.JCQueue;

/** Takes the elements of a queue one by one. */
record SimConsumer(Consumer<Object> elements) implements JCQueue.Consumer {

    @Override
    public void accept(Object element) {
        elements.accept(element);
    }

    @Override
    public void flush() {
        // They were taken one by one.
    }
}
