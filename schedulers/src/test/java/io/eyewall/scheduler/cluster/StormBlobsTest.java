package io.eyewall.scheduler.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import javax.security.auth.Subject;
import org.apache.storm.blobstore.AtomicOutputStream;
import org.apache.storm.blobstore.BlobStore;
import org.apache.storm.blobstore.BlobStoreAclHandler;
import org.apache.storm.blobstore.BlobStoreUtils;
import org.apache.storm.blobstore.InputStreamWithMeta;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.KeyAlreadyExistsException;
import org.apache.storm.generated.KeyNotFoundException;
import org.apache.storm.generated.ReadableBlobMeta;
import org.apache.storm.generated.SettableBlobMeta;
import org.apache.storm.nimbus.ILeaderElector;
import org.apache.storm.nimbus.NimbusInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Uses real blob stores of Storm's. */
class StormBlobsTest {

    private static final String KEY = "eyewall-test";

    @TempDir
    private Path directory;
    private TwoNimbuses nimbuses;
    private StormBlobs first;
    private StormBlobs second;

    @BeforeEach
    void open() throws Exception {
        nimbuses = new TwoNimbuses(directory);
        first = nimbuses.blobs(0);
        second = nimbuses.blobs(1);
    }

    @AfterEach
    void close() throws Exception {
        nimbuses.close();
    }

    @Test
    void shouldGiveTheNextLeaderWhatWasWrittenLast() throws Exception {
        assertEquals(Optional.empty(), first.read(KEY));
        first.write(KEY, bytes("one"));
        nimbuses.copy(KEY);
        first.write(KEY, bytes("two"));
        first.write(KEY, bytes("three"));
        assertEquals("three", text(first.read(KEY)));

        assertEquals("three", text(second.read(KEY)));
        assertArrayEquals(bytes("three"), nimbuses.seenByClients(1, KEY));

        second.write(KEY, bytes("four"));
        assertEquals("four", text(first.readOwn(KEY)));
        assertArrayEquals(bytes("four"), nimbuses.seenByClients(0, KEY));
    }

    @Test
    void shouldGiveTheNextLeaderWhatItHasNotCopied() throws Exception {
        first.write(KEY, bytes("one"));

        assertEquals(List.of(KEY), second.keys(KEY));
        assertEquals("one", text(second.read(KEY)));

        assertArrayEquals(bytes("one"), nimbuses.seenByClients(1, KEY));
        assertEquals(BlobStoreAclHandler.READ, meta(1).get_acl().get(0).get_access(), "every user can read it");
    }

    @Test
    void shouldGiveTheNextLeaderTheNewestResponseToAClient() throws Exception {
        create("request");
        nimbuses.copy(KEY);
        assertEquals("request", text(first.read(KEY)));
        assertEquals("request", text(second.read(KEY)));

        assertTrue(first.replace(KEY, bytes("response")));
        assertTrue(first.replace(KEY, bytes("done")));

        assertEquals("done", text(second.read(KEY)));
        assertArrayEquals(bytes("done"), nimbuses.seenByClients(1, KEY));
        assertEquals("alice", meta(1).get_acl().get(0).get_name());
    }

    @Test
    void shouldNotTakeTheNextRequestOfAKeyForTheOneBefore() throws Exception {
        create("request");
        first.read(KEY);
        first.replace(KEY, bytes("response"));
        nimbuses.store(0).deleteBlob(KEY, BlobStoreUtils.getNimbusSubject());

        assertEquals(Optional.empty(), first.read(KEY));
        assertFalse(first.replace(KEY, bytes("late")));
        create("another");
        assertEquals("another", text(first.read(KEY)));
    }

    @Test
    void shouldNotReplaceWhatAnotherNimbusHasWritten() {
        first.write(KEY, bytes("one"));
        second.read(KEY);
        second.write(KEY, bytes("two"));

        IllegalStateException error = assertThrows(IllegalStateException.class, () -> first.write(KEY, bytes("late")));

        assertEquals("Another Nimbus has written blob eyewall-test since this one read it", error.getMessage());
        assertEquals("two", text(second.read(KEY)));
        assertEquals("two", text(first.read(KEY)));
        first.write(KEY, bytes("three"));
        assertEquals("three", text(second.read(KEY)));
    }

    @Test
    void shouldLetClientsOfALeaderThatIsBackHaveTheNewest() throws Exception {
        first.write(KEY, bytes("one"));
        nimbuses.copy(KEY);
        second.read(KEY);
        second.write(KEY, bytes("two"));

        first.refresh("eyewall-");

        assertArrayEquals(bytes("two"), nimbuses.seenByClients(0, KEY));
        first.write(KEY, bytes("three"));
        assertEquals("three", text(second.read(KEY)));
    }

    @Test
    void shouldReadNoOlderCopyOfWhatIsTooLargeForZooKeeper() throws Exception {
        byte[] large = new byte[BlobNode.MAX_BYTES + 1];
        new Random(1).nextBytes(large);
        first.write(KEY, bytes("one"));
        nimbuses.copy(KEY);
        first.write(KEY, large);

        assertArrayEquals(large, first.read(KEY).orElseThrow());
        assertEquals(Optional.empty(), second.read(KEY));

        second.write(KEY, bytes("two"));
        assertEquals("two", text(first.read(KEY)));
        byte[] compressible = new byte[BlobNode.MAX_BYTES + 1];
        first.write(KEY, compressible);
        assertArrayEquals(compressible, second.read(KEY).orElseThrow());
    }

    @Test
    void shouldReplaceABlobWhoseKeySomebodyHasRemoved() throws Exception {
        first.write(KEY, bytes("one"));
        nimbuses.copy(KEY);
        nimbuses.store(0).deleteBlob(KEY, BlobStoreUtils.getNimbusSubject());
        assertEquals(Optional.empty(), second.read(KEY));

        second.write(KEY, bytes("two"));

        assertEquals("two", text(first.read(KEY)));
    }

    @Test
    void shouldWriteNothingWhileZooKeeperDoesNotRespond() throws Exception {
        first.write(KEY, bytes("one"));
        try (ServerSocket silent = new ServerSocket(0)) {
            Map<String, Object> conf = new HashMap<>(nimbuses.conf());
            conf.put("storm.zookeeper.port", silent.getLocalPort());
            conf.put("storm.zookeeper.session.timeout", 500);
            StormBlobs stalled = new StormBlobs(() -> nimbuses.store(0), conf);

            String message = assertThrows(IllegalStateException.class, () -> stalled.write(KEY, bytes("two"))).getMessage();

            assertTrue(message.startsWith("ZooKeeper does not respond about blob eyewall-test: "), message);
            assertThrows(IllegalStateException.class, () -> stalled.read(KEY));
            assertArrayEquals(bytes("one"), nimbuses.seenByClients(0, KEY));
            stalled.close();
        }
    }

    @Test
    void shouldNotListTheBlobsOfAStoreThatAllNimbusesShare() throws Exception {
        SharedStore shared = new SharedStore(nimbuses.store(0));
        try (StormBlobs blobs = new StormBlobs(() -> shared, nimbuses.conf())) {
            assertEquals(Optional.empty(), blobs.read(KEY));
            assertFalse(blobs.replace(KEY, bytes("none")));
            blobs.write(KEY, bytes("one"));
            blobs.write(KEY, bytes("two"));
            assertEquals("two", text(blobs.readOwn(KEY)));
            blobs.refresh(KEY);
            shared.createBlob("eyewall-incomplete", new SettableBlobMeta(new ArrayList<>()), BlobStoreUtils.getNimbusSubject());
            assertEquals(Optional.empty(), blobs.read("eyewall-incomplete"));
            assertEquals(0, shared.listings);
            assertEquals(List.of(KEY), blobs.keys(KEY));
        }
    }

    private void create(String contents) throws Exception {
        SettableBlobMeta meta = new SettableBlobMeta(new ArrayList<>(List.of(BlobStoreAclHandler.parseAccessControl("u:alice:rwa"))));
        nimbuses.store(0).createBlob(KEY, bytes(contents), meta, BlobStoreUtils.getNimbusSubject());
    }

    private SettableBlobMeta meta(int nimbus) throws Exception {
        return nimbuses.store(nimbus).getBlobMeta(KEY, BlobStoreUtils.getNimbusSubject()).get_settable();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(Optional<byte[]> contents) {
        return new String(contents.orElseThrow(), StandardCharsets.UTF_8);
    }

    /** A blob store that is not Storm's default one, and counts how often all its blobs are listed. */
    private static final class SharedStore extends BlobStore {

        private final BlobStore files;
        private int listings;

        SharedStore(BlobStore files) {
            this.files = files;
        }

        @Override
        public void prepare(Map<String, Object> conf, String baseDirectory, NimbusInfo nimbus, ILeaderElector leaderElector) {
            throw new UnsupportedOperationException("It is prepared.");
        }

        @Override
        public AtomicOutputStream createBlob(String key, SettableBlobMeta meta, Subject who)
                throws AuthorizationException, KeyAlreadyExistsException {
            return files.createBlob(key, meta, who);
        }

        @Override
        public AtomicOutputStream updateBlob(String key, Subject who) throws AuthorizationException, KeyNotFoundException {
            return files.updateBlob(key, who);
        }

        @Override
        public ReadableBlobMeta getBlobMeta(String key, Subject who) throws AuthorizationException, KeyNotFoundException {
            return files.getBlobMeta(key, who);
        }

        @Override
        public void setLeaderElector(ILeaderElector leaderElector) {
            files.setLeaderElector(leaderElector);
        }

        @Override
        public void setBlobMeta(String key, SettableBlobMeta meta, Subject who) throws AuthorizationException, KeyNotFoundException {
            files.setBlobMeta(key, meta, who);
        }

        @Override
        public void deleteBlob(String key, Subject who) throws AuthorizationException, KeyNotFoundException {
            files.deleteBlob(key, who);
        }

        @Override
        public InputStreamWithMeta getBlob(String key, Subject who) throws AuthorizationException, KeyNotFoundException {
            return files.getBlob(key, who);
        }

        @Override
        public Iterator<String> listKeys() {
            listings++;
            return files.listKeys();
        }

        @Override
        public void shutdown() {
            // The files' owner ends them.
        }

        @Override
        public int getBlobReplication(String key, Subject who) throws Exception {
            return files.getBlobReplication(key, who);
        }

        @Override
        public int updateBlobReplication(String key, int replication, Subject who)
                throws AuthorizationException, KeyNotFoundException, IOException {
            return files.updateBlobReplication(key, replication, who);
        }
    }
}
