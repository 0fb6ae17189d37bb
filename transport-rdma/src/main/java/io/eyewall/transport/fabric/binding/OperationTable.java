package io.eyewall.transport.fabric.binding;

import com.sun.jna.Function;
import com.sun.jna.Pointer;

/**
 * One of the tables of function pointers through which libfabric's inline functions work. A table begins with its own size in bytes, by
 * which an older library is told from a newer one.
 */
final class OperationTable {

    private final String name;
    private final Pointer table;

    private OperationTable(String name, Pointer table) {
        this.name = name;
        this.table = table;
    }

    /**
     * The table that an object keeps at an offset.
     *
     * @param name what the table is called in messages
     */
    static OperationTable of(String name, Pointer object, int offset) {
        return new OperationTable(name, object.getPointer(offset));
    }

    /** The address of an operation, or 0 if the provider does not have it. */
    long address(int offset) {
        if (table == null || table.getLong(0) <= offset) {
            return 0;
        }
        return table.getLong(offset);
    }

    /**
     * Calls an operation that is not on the path of messages.
     *
     * @param attempt what is tried, for the message if it fails
     * @param offset where the operation is in the table, bytes
     * @param arguments pointers, and integers of exactly the width that C takes
     * @return what the operation returned, never negative
     * @throws FabricException if the provider lacks the operation, or it failed
     */
    int call(String attempt, int offset, Object... arguments) {
        int result = tryCall(attempt, offset, arguments);
        FabricException.check(attempt, result);
        return result;
    }

    /** As {@link #call}, but returns an error as the negative number that the library gave. */
    int tryCall(String attempt, int offset, Object... arguments) {
        long address = address(offset);
        if (address == 0) {
            throw new FabricException(attempt + ": the provider has no such operation (" + name + " + " + offset + ")");
        }
        return Function.getFunction(new Pointer(address)).invokeInt(arguments);
    }
}
