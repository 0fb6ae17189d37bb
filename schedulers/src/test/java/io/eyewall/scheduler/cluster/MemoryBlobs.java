package io.eyewall.scheduler.cluster;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Blobs in memory, which can be broken. */
public final class MemoryBlobs implements Blobs {

    private final SortedMap<String, byte[]> blobs = new TreeMap<>();
    private final Set<String> strangers = new HashSet<>();
    /** The blob of which the next write fails; null if none. */
    private String failing;
    private boolean broken;
    private boolean unreadable;

    /** Lets a blob be one of somebody who may not rebalance anything. */
    public void setByStranger(String key) {
        strangers.add(key);
    }

    /** Lets every write fail, or no longer fail. */
    public void setBroken(boolean whether) {
        broken = whether;
    }

    /** Lets the next write of a blob fail. */
    public void failOnce(String key) {
        failing = key;
    }

    /** Lets every list of keys fail, or no longer fail. */
    public void setUnreadable(boolean whether) {
        unreadable = whether;
    }

    @Override
    public List<String> keys(String prefix) {
        if (unreadable) {
            throw new IllegalStateException("The blob store cannot be read.");
        }
        return blobs.keySet().stream().filter(key -> key.startsWith(prefix)).toList();
    }

    @Override
    public Optional<byte[]> read(String key) {
        return Optional.ofNullable(blobs.get(key));
    }

    @Override
    public Optional<byte[]> readOwn(String key) {
        return read(key);
    }

    @Override
    public void refresh(String prefix) {
        // There is one Nimbus.
    }

    @Override
    public boolean isByOwner(String key, Map<String, Object> topologyConf) {
        return !strangers.contains(key);
    }

    @Override
    public boolean isByAdmin(String key) {
        return !strangers.contains(key);
    }

    @Override
    public void write(String key, byte[] contents) {
        if (broken) {
            throw new IllegalStateException("The blob store is broken.");
        }
        if (key.equals(failing)) {
            failing = null;
            throw new IllegalStateException("Blob " + key + " cannot be written.");
        }
        blobs.put(key, contents);
    }

    @Override
    public boolean replace(String key, byte[] contents) {
        if (blobs.containsKey(key)) {
            write(key, contents);
        }
        return blobs.containsKey(key);
    }

    @Override
    public void delete(String key) {
        blobs.remove(key);
    }
}
