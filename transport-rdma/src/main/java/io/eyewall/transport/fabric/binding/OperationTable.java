package io.eyewall.transport.fabric.binding;

import com.sun.jna.Function;
import com.sun.jna.Pointer;

/**
 * A table of function pointers in an object of libfabric, which the library's inline functions in C call. A table begins with its size in
 * bytes, which shows which operations this version of the library has.
 */
final class OperationTable {

    private final String name;
    private final Pointer table;

    private OperationTable(String name, Pointer table) {
        this.name = name;
        this.table = table;
    }

    /**
     * The table at an offset of an object.
     *
     * @param name the name of the table in error messages
     */
    static OperationTable of(String name, Pointer object, int offset) {
        return new OperationTable(name, object.getPointer(offset));
    }

    /** The address of an operation, or 0 if the provider lacks it. */
    long address(int offset) {
        if (table == null || table.getLong(0) <= offset) {
            return 0;
        }
        return table.getLong(offset);
    }

    /**
     * Calls an operation. This is too slow for sends, receives and polls.
     *
     * @param attempt what is attempted, for the error message
     * @param offset the offset of the operation in the table, in bytes
     * @param arguments pointers, and integers of exactly the width that C expects
     * @return the result of the operation, never negative
     * @throws FabricException if the provider lacks the operation, or if it fails
     */
    int call(String attempt, int offset, Object... arguments) {
        int result = tryCall(attempt, offset, arguments);
        FabricException.check(attempt, result);
        return result;
    }

    /** As {@link #call}, but returns an error as the library's negative number. */
    int tryCall(String attempt, int offset, Object... arguments) {
        long address = address(offset);
        if (address == 0) {
            throw new FabricException(attempt + ": the provider has no such operation (" + name + " + " + offset + ")");
        }
        return Function.getFunction(new Pointer(address)).invokeInt(arguments);
    }
}
