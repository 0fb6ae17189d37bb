package io.eyewall.client.stream.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.client.seam.ReconnectingConnection;
import io.eyewall.client.stream.wire.StreamWire;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.TaskMessage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ThreadSenderTest {

    private static final int WAIT_SECS = 60;

    private final CollectingConnection connection = new CollectingConnection();
    private final ThreadSender sender = new ThreadSender("other", connection);

    @AfterEach
    void close() {
        sender.close();
    }

    @Test
    void shouldKeepMessagesWhileThereIsNoConnectionAndTryToConnect() throws Exception {
        connection.status = ConnectionWithStatus.Status.Connecting;
        send(1, 2);
        TaskMessage attempt = connection.dropped.poll(WAIT_SECS, TimeUnit.SECONDS);
        assertNotNull(attempt);
        assertEquals(StreamWire.STATUS_TASK, attempt.task());
        assertTrue(ContainerSender.isAttempt(attempt));
        assertTrue(sender.isConnecting());
        send(3);
        assertTrue(sender.waitingBytes() > 0);
        assertEquals(List.of(), List.copyOf(connection.sent));

        connection.status = ConnectionWithStatus.Status.Ready;
        awaitSent(1, 2, 3);
        assertFalse(sender.isConnecting());

        connection.status = ConnectionWithStatus.Status.Connecting;
        send(4);
        assertNotNull(connection.dropped.poll(WAIT_SECS, TimeUnit.SECONDS), "it tries again each time that it loses the connection");
        connection.status = ConnectionWithStatus.Status.Ready;
        awaitSent(1, 2, 3, 4);
        assertEquals(List.of(), List.copyOf(connection.dropped), "only attempts were dropped");
    }

    @Test
    void shouldLeaveItToAConnectionThatIsMadeAgainByItself() {
        Reconnecting its = new Reconnecting();
        its.status = ConnectionWithStatus.Status.Connecting;
        ThreadSender patient = new ThreadSender("other", its);
        patient.add(new TaskMessage(1, new byte[2]));
        patient.flush();
        assertTrue(patient.isConnecting());

        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> its.looks.get() > 2);
        its.status = ConnectionWithStatus.Status.Ready;

        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> its.sent.size() == 1);
        assertEquals(List.of(), List.copyOf(its.dropped), "no message was lost to find out whether there is a connection");
        patient.close();
    }

    @Test
    void shouldEndAlthoughThereIsNoConnection() {
        connection.status = ConnectionWithStatus.Status.Connecting;
        send(1);

        sender.close();

        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> connection.status == ConnectionWithStatus.Status.Closed);
        assertEquals(List.of(), List.copyOf(connection.sent));
    }

    private static final class Reconnecting extends CollectingConnection implements ReconnectingConnection {

        private final AtomicInteger looks = new AtomicInteger();

        @Override
        public Status status() {
            looks.incrementAndGet();
            return super.status();
        }
    }

    private void send(int... tasks) {
        IntStream.of(tasks).forEach(task -> sender.add(new TaskMessage(task, new byte[2])));
        sender.flush();
    }

    private void awaitSent(Integer... tasks) {
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).untilAsserted(() ->
            assertEquals(List.of(tasks), connection.sent.stream().map(TaskMessage::task).toList()));
        Awaitility.await().atMost(WAIT_SECS, TimeUnit.SECONDS).until(() -> sender.waitingBytes() == 0);
    }
}
