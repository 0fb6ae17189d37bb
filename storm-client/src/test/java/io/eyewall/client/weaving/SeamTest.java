package io.eyewall.client.weaving;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import net.bytebuddy.description.NamedElement;
import org.junit.jupiter.api.Test;

/** {@link Seam}. */
class SeamTest {

    /** Reflection has the methods of a class in an order that changes from JVM to JVM. */
    @Test
    void shouldHaveMethodsInTheOrderOfTheirDeclaration() {
        List<String> methods = Seam.described(Holder.class).getDeclaredMethods().stream().map(NamedElement::getActualName).toList();

        assertEquals(List.of("getOrder", "clear", "getBytes", "close", "setBytes", "getName", "add", "isOpen", "wait3", "notifyAll2",
            "hashCode", "toString", "getAll", "size", "equals"), methods);
    }

    /** Has names that a JVM has met before, and others. */
    @SuppressWarnings("unused")
    private interface Holder {
        int getOrder();

        void clear();

        byte[] getBytes();

        void close();

        void setBytes(byte[] bytes);

        String getName();

        boolean add(Object element);

        boolean isOpen();

        void wait3();

        void notifyAll2();

        @Override
        int hashCode();

        @Override
        String toString();

        List<Object> getAll();

        int size();

        @Override
        boolean equals(Object other);
    }
}
