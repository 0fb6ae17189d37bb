package io.eyewall.core.security;

import org.apache.storm.state.Serializer;

/** Leaves the bytes of a state's keys and values as they are in the store. A state provider makes it by its name. */
public final class RawState implements Serializer<byte[]> {

    private static final long serialVersionUID = 1L;

    @Override
    public byte[] serialize(byte[] bytes) {
        return bytes;
    }

    @Override
    public byte[] deserialize(byte[] bytes) {
        return bytes;
    }
}
