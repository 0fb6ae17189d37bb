package io.eyewall.web.history;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.CompressionType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Samples in RocksDB. A key is the tier, the period, the topology and the end of the sample's step, so that what is too old lies together
 * and one topology's samples of a period do, too. What a crash leaves half written is cut off by RocksDB when the store is opened. Safe for
 * any thread.
 */
final class HistoryStore implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HistoryStore.class);

    private static final long BUFFER_BYTES = 4L << 20;
    private static final long CACHE_BYTES = 8L << 20;
    private static final long LOG_BYTES = 16L << 20;
    private static final int OPEN_FILES = 100;
    private static final int NUMBERS_BYTES = 1 + Long.BYTES;

    private final RocksDB database;
    private final LRUCache cache;
    private final Options options;
    private final long mostBytes;
    // Native code that is called after its end takes the process with it: whoever calls it holds the first of these.
    private final Lock use;
    private final Lock end;
    private boolean closed;

    private HistoryStore(Path directory, long mostBytes) throws RocksDBException {
        this.mostBytes = mostBytes;
        ReadWriteLock lock = new ReentrantReadWriteLock();
        use = lock.readLock();
        end = lock.writeLock();
        RocksDB.loadLibrary();
        cache = new LRUCache(CACHE_BYTES);
        options = new Options().setCreateIfMissing(true).setWriteBufferSize(BUFFER_BYTES).setMaxTotalWalSize(LOG_BYTES)
            .setMaxOpenFiles(OPEN_FILES).setKeepLogFileNum(2).setMaxLogFileSize(1 << 20).setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
            .setCompressionType(CompressionType.LZ4_COMPRESSION).setBottommostCompressionType(CompressionType.ZSTD_COMPRESSION)
            .setTableFormatConfig(new BlockBasedTableConfig().setBlockCache(cache).setCacheIndexAndFilterBlocks(true));
        try {
            database = RocksDB.open(options, directory.toString());
        } catch (RocksDBException e) {
            options.close();
            cache.close();
            throw e;
        }
    }

    /**
     * Opens the store, or makes it. One that is damaged is set aside as {@code DIRECTORY-damaged}, and an empty one takes its place.
     *
     * @param mostBytes how large its files may become
     * @throws IOException if the directory is in use by another process, or cannot be written
     */
    static HistoryStore open(Path directory, long mostBytes) throws IOException {
        Files.createDirectories(directory);
        try {
            return new HistoryStore(directory, mostBytes);
        } catch (RocksDBException e) {
            if (e.getStatus() == null || e.getStatus().getCode() != Status.Code.Corruption) {
                throw new IOException(e.getMessage(), e);
            }
            Path aside = directory.resolveSibling(directory.getFileName() + "-damaged");
            LOG.error("The history in {} is damaged. It is moved to {}, and begins anew.", directory, aside, e);
            delete(aside);
            Files.move(directory, aside, StandardCopyOption.ATOMIC_MOVE);
            Files.createDirectories(directory);
        }
        try {
            return new HistoryStore(directory, mostBytes);
        } catch (RocksDBException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Adds a sample to both tiers: in the coarse one it takes the place of others of its step, and the highest capacities stay. */
    void append(String topology, Sample sample) throws RocksDBException {
        use.lock();
        try (WriteBatch batch = new WriteBatch(); WriteOptions write = new WriteOptions()) {
            if (closed) {
                return;
            }
            byte[] coarse = key(Tier.COARSE, topology, sample.timeSecs());
            byte[] before = database.get(coarse);
            batch.put(key(Tier.FINE, topology, sample.timeSecs()), sample.toBytes());
            batch.put(coarse, (before == null ? sample : sample.inPlaceOf(Sample.of(before))).toBytes());
            database.write(write, batch);
        } finally {
            use.unlock();
        }
    }

    /** The samples of a tier whose steps end from one time to another, both included, the oldest first. */
    List<Sample> read(Tier tier, String topology, long fromSecs, long toSecs) {
        List<Sample> samples = new ArrayList<>();
        use.lock();
        try {
            if (closed) {
                return samples;
            }
            try (RocksIterator iterator = database.newIterator()) {
                for (long period = tier.period(fromSecs); period <= tier.period(toSecs); period++) {
                    byte[] first = key(tier, topology, Math.max(fromSecs, tier.startSecs(period)));
                    byte[] last = key(tier, topology, Math.min(toSecs, tier.startSecs(period + 1) - 1) - tier.stepSecs() + 1);
                    for (iterator.seek(first); iterator.isValid() && Arrays.compareUnsigned(iterator.key(), last) <= 0; iterator.next()) {
                        samples.add(Sample.of(iterator.value()));
                    }
                }
            }
        } finally {
            use.unlock();
        }
        return samples;
    }

    /** The newest sample of a topology, if there is one that is kept. */
    Optional<Sample> newest(String topology, long nowSecs) {
        use.lock();
        try {
            if (closed) {
                return Optional.empty();
            }
            try (RocksIterator iterator = database.newIterator()) {
                for (Tier tier : Tier.values()) {
                    for (long period = tier.period(nowSecs + tier.stepSecs()); period >= tier.period(nowSecs - tier.keptSecs()); period--) {
                        iterator.seekForPrev(key(tier, topology, tier.startSecs(period + 1) - tier.stepSecs()));
                        byte[] first = key(tier, topology, tier.startSecs(period));
                        if (iterator.isValid() && Arrays.compareUnsigned(iterator.key(), first) >= 0) {
                            return Optional.of(Sample.of(iterator.value()));
                        }
                    }
                }
                return Optional.empty();
            }
        } finally {
            use.unlock();
        }
    }

    /** Removes whole periods: those that are over for longer than they are kept, and then the oldest, while the files are too large. */
    void prune(long nowSecs) throws RocksDBException {
        use.lock();
        try {
            if (closed) {
                return;
            }
            for (Tier tier : Tier.values()) {
                removeBefore(tier, tier.period(nowSecs - tier.keptSecs()));
                long current = tier.period(nowSecs);
                for (long oldest = oldest(tier); bytes() > mostBytes && oldest < current; oldest = oldest(tier)) {
                    LOG.warn("The history has more than {} bytes. It loses {} from before {} s since 1970.", mostBytes, tier,
                        tier.startSecs(oldest + 1));
                    removeBefore(tier, oldest + 1);
                }
            }
        } finally {
            use.unlock();
        }
    }

    @Override
    public void close() {
        end.lock();
        try {
            if (!closed) {
                closed = true;
                database.close();
                options.close();
                cache.close();
            }
        } finally {
            end.unlock();
        }
    }

    private long bytes() throws RocksDBException {
        return database.getLongProperty("rocksdb.live-sst-files-size") + database.getLongProperty("rocksdb.cur-size-all-mem-tables");
    }

    /** The oldest period of which there is something; the largest number if there is nothing. */
    private long oldest(Tier tier) {
        try (RocksIterator iterator = database.newIterator()) {
            iterator.seek(start(tier, 0));
            return iterator.isValid() && iterator.key()[0] == tier.prefix() ? ByteBuffer.wrap(iterator.key()).getLong(1) : Long.MAX_VALUE;
        }
    }

    private void removeBefore(Tier tier, long period) throws RocksDBException {
        byte[] first = start(tier, 0);
        byte[] behind = start(tier, period);
        if (oldest(tier) < period) {
            database.deleteRange(first, behind);
            database.compactRange(first, behind);
        }
    }

    private static byte[] start(Tier tier, long period) {
        return ByteBuffer.allocate(NUMBERS_BYTES).put(tier.prefix()).putLong(period).array();
    }

    /** The key of the step in which a time is. */
    private static byte[] key(Tier tier, String topology, long timeSecs) {
        byte[] name = topology.getBytes(StandardCharsets.UTF_8);
        long stepEnd = tier.stepEndSecs(timeSecs);
        // No name holds a zero, so that none is the beginning of another's key.
        return ByteBuffer.allocate(NUMBERS_BYTES + name.length + 1 + Long.BYTES).put(tier.prefix()).putLong(tier.period(stepEnd))
            .put(name).put((byte) 0).putLong(stepEnd).array();
    }

    private static void delete(Path directory) throws IOException {
        if (Files.exists(directory)) {
            List<Path> files;
            try (Stream<Path> walk = Files.walk(directory)) {
                files = walk.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path file : files) {
                Files.delete(file);
            }
        }
    }
}
