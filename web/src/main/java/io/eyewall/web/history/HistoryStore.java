package io.eyewall.web.history;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.CompressionType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.Range;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;
import org.rocksdb.Status;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Samples in RocksDB. A key is the tier, the period, the topology and the end of the sample's step, so that what is too old lies together
 * and one topology's samples of a period do, too. What a crash leaves half written is cut off by RocksDB when the store is opened. A store
 * that proves to be damaged, at its opening or later, is set aside as {@code DIRECTORY-damaged}, and an empty one takes its place. Safe for
 * any thread.
 */
final class HistoryStore implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HistoryStore.class);

    private static final long BUFFER_BYTES = 4L << 20;
    private static final long CACHE_BYTES = 8L << 20;
    private static final long LOG_BYTES = 16L << 20;
    private static final int OPEN_FILES = 100;
    private static final int NUMBERS_BYTES = 1 + Long.BYTES;

    private final Path directory;
    private final LRUCache cache;
    private final Options options;
    private final long mostBytesOfTier;
    // A call of RocksDB after it is closed would crash the process: each caller holds the first of these locks.
    private final Lock use;
    private final Lock end;
    /** Null when it is closed. Written by who holds {@link #end}. */
    private RocksDB database;

    private HistoryStore(Path directory, long mostBytes) throws IOException {
        this.directory = directory;
        mostBytesOfTier = mostBytes / Tier.values().length;
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
            database = openOrBeginAnew();
        } catch (IOException e) {
            options.close();
            cache.close();
            throw e;
        }
    }

    /** What is done with the database. */
    @FunctionalInterface
    private interface Use<T> {

        T with(RocksDB database) throws RocksDBException;
    }

    /**
     * Opens the store, or makes it.
     *
     * @param mostBytes how large its files may become; every tier may have the same part of it
     * @throws IOException if the directory is in use by another process, or cannot be written
     */
    static HistoryStore open(Path directory, long mostBytes) throws IOException {
        Files.createDirectories(directory);
        return new HistoryStore(directory, mostBytes);
    }

    /** Adds a sample to both tiers: in the coarse one it takes the place of others of its step, and the highest capacities stay. */
    void append(String topology, Sample sample) throws RocksDBException {
        use(null, found -> {
            try (WriteBatch batch = new WriteBatch(); WriteOptions write = new WriteOptions()) {
                byte[] coarse = key(Tier.COARSE, topology, sample.timeSecs());
                byte[] before = found.get(coarse);
                batch.put(key(Tier.FINE, topology, sample.timeSecs()), sample.toBytes());
                batch.put(coarse, (before == null ? sample : sample.inPlaceOf(Sample.of(before))).toBytes());
                found.write(write, batch);
                return null;
            }
        });
    }

    /** Hands out the samples of a tier whose steps end from one time to another, both included, the oldest first, one at a time. */
    void read(Tier tier, String topology, long fromSecs, long toSecs, Consumer<Sample> reader) throws RocksDBException {
        use(null, found -> {
            try (RocksIterator iterator = found.newIterator()) {
                for (long period = tier.period(fromSecs); period <= tier.period(toSecs); period++) {
                    byte[] first = key(tier, topology, Math.max(fromSecs, tier.startSecs(period)));
                    byte[] last = key(tier, topology, Math.min(toSecs, tier.startSecs(period + 1) - 1) - tier.stepSecs() + 1);
                    for (iterator.seek(first); iterator.isValid() && Arrays.compareUnsigned(iterator.key(), last) <= 0; iterator.next()) {
                        reader.accept(Sample.of(iterator.value()));
                    }
                    // An iterator that meets damage ends like one that has seen everything.
                    iterator.status();
                }
                return null;
            }
        });
    }

    /** The newest sample of a topology, if there is one that is kept. */
    Optional<Sample> newest(String topology, long nowSecs) throws RocksDBException {
        return use(Optional.empty(), found -> {
            try (RocksIterator iterator = found.newIterator()) {
                for (Tier tier : Tier.values()) {
                    long oldest = tier.period(nowSecs - tier.keptSecs());
                    for (long period = tier.period(nowSecs + tier.stepSecs()); period >= oldest; period--) {
                        iterator.seekForPrev(key(tier, topology, tier.startSecs(period + 1) - tier.stepSecs()));
                        iterator.status();
                        byte[] first = key(tier, topology, tier.startSecs(period));
                        if (iterator.isValid() && Arrays.compareUnsigned(iterator.key(), first) >= 0) {
                            return Optional.of(Sample.of(iterator.value()));
                        }
                    }
                }
                return Optional.empty();
            }
        });
    }

    /**
     * Removes whole periods: those that are over for longer than they are kept, and then the oldest of each tier that has more than its
     * part of the bytes, at last the one that is under way.
     */
    void prune(long nowSecs) throws RocksDBException {
        use(null, found -> {
            for (Tier tier : Tier.values()) {
                removeBefore(found, tier, tier.period(nowSecs - tier.keptSecs()));
                for (long oldest = oldest(found, tier); oldest < Long.MAX_VALUE && bytes(found, tier) > mostBytesOfTier;
                        oldest = oldest(found, tier)) {
                    LOG.warn("The history has more than {} bytes of {}. It loses those from before {} s since 1970.", mostBytesOfTier, tier,
                        tier.startSecs(oldest + 1));
                    removeBefore(found, tier, oldest + 1);
                }
            }
            return null;
        });
    }

    @Override
    public void close() {
        end.lock();
        try {
            if (database != null) {
                database.close();
                database = null;
                options.close();
                cache.close();
            }
        } finally {
            end.unlock();
        }
    }

    /** Does something with the database, and begins anew if it proves to be damaged; returns {@code otherwise} if it is closed. */
    private <T> T use(T otherwise, Use<T> what) throws RocksDBException {
        RocksDB found = null;
        use.lock();
        try {
            found = database;
            return found == null ? otherwise : what.with(found);
        } catch (RocksDBException e) {
            if (!isDamage(e)) {
                throw e;
            }
            LOG.error("The history in {} is damaged", directory, e);
        } catch (Sample.UnreadableException e) {
            LOG.error("The history in {} is damaged, or another version has written it", directory, e);
        } finally {
            use.unlock();
        }
        mend(found);
        return otherwise;
    }

    private void mend(RocksDB damaged) {
        end.lock();
        try {
            if (database == damaged) {
                database = null;
                damaged.close();
                setAside();
                database = openOrBeginAnew();
            }
        } catch (IOException e) {
            options.close();
            cache.close();
            LOG.error("No history is kept until the UI is started again: {} cannot be begun anew", directory, e);
        } finally {
            end.unlock();
        }
    }

    private RocksDB openOrBeginAnew() throws IOException {
        try {
            return RocksDB.open(options, directory.toString());
        } catch (RocksDBException e) {
            if (!isDamage(e)) {
                throw new IOException(e.getMessage(), e);
            }
            LOG.error("The history in {} is damaged", directory, e);
            setAside();
        }
        try {
            return RocksDB.open(options, directory.toString());
        } catch (RocksDBException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private void setAside() throws IOException {
        Path aside = directory.resolveSibling(directory.getFileName() + "-damaged");
        LOG.error("{} is moved to {}, and the history begins anew", directory, aside);
        delete(aside);
        Files.move(directory, aside, StandardCopyOption.ATOMIC_MOVE);
        Files.createDirectories(directory);
    }

    private static boolean isDamage(RocksDBException e) {
        return e.getStatus() != null && e.getStatus().getCode() == Status.Code.Corruption;
    }

    private static long bytes(RocksDB database, Tier tier) {
        try (Slice first = new Slice(start(tier, 0)); Slice behind = new Slice(start(tier, Long.MAX_VALUE))) {
            return database.getApproximateSizes(List.of(new Range(first, behind)), SizeApproximationFlag.INCLUDE_FILES,
                SizeApproximationFlag.INCLUDE_MEMTABLES)[0];
        }
    }

    /** The oldest period of which there is something; the largest number if there is nothing. */
    private static long oldest(RocksDB database, Tier tier) throws RocksDBException {
        try (RocksIterator iterator = database.newIterator()) {
            iterator.seek(start(tier, 0));
            iterator.status();
            return iterator.isValid() && iterator.key()[0] == tier.prefix() ? ByteBuffer.wrap(iterator.key()).getLong(1) : Long.MAX_VALUE;
        }
    }

    private static void removeBefore(RocksDB database, Tier tier, long period) throws RocksDBException {
        byte[] first = start(tier, 0);
        byte[] behind = start(tier, period);
        if (oldest(database, tier) < period) {
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
