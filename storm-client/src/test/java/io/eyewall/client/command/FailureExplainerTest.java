package io.eyewall.client.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.eyewall.client.deadline.DeadlineSubmission;
import java.io.FileNotFoundException;
import java.net.ConnectException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.storm.Config;
import org.apache.storm.generated.AlreadyAliveException;
import org.apache.storm.generated.AuthorizationException;
import org.apache.storm.generated.DRPCExecutionException;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.KeyAlreadyExistsException;
import org.apache.storm.generated.KeyNotFoundException;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.RebalanceOptions;
import org.apache.storm.shade.org.apache.zookeeper.KeeperException;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;
import org.apache.storm.shade.org.yaml.snakeyaml.reader.ReaderException;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.thrift.TApplicationException;
import org.apache.storm.thrift.TException;
import org.apache.storm.thrift.protocol.TBinaryProtocol;
import org.apache.storm.thrift.protocol.TMessage;
import org.apache.storm.thrift.protocol.TMessageType;
import org.apache.storm.thrift.transport.TMemoryBuffer;
import org.apache.storm.thrift.transport.TTransportException;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.utils.DRPCClient;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.NimbusLeaderNotFoundException;
import org.apache.storm.utils.Utils;
import org.apache.storm.validation.ConfigValidation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FailureExplainerTest {

    private static final Cluster CLUSTER = new Cluster() {
        @Override
        public String configurationFile() {
            return "/conf/storm.yaml";
        }

        @Override
        public List<Class<?>> configurationClasses() {
            return List.of(Config.class);
        }

        @Override
        public String nimbus() {
            return "n1:6627, n2:6627";
        }

        @Override
        public String drpc() {
            return "d1:3772";
        }

        @Override
        public String zooKeeper() {
            return "z1:2181";
        }
    };

    private final FailureExplainer command = new FailureExplainer(CLUSTER, false);
    private final FailureExplainer submission = new FailureExplainer(CLUSTER, true);

    private record Known(TException thrown, String beginning, String remedy) {
    }

    static List<Known> thriftExceptions() {
        return List.of(
            new Known(new NotAliveException("t1 is not alive"), "no such topology is running: t1 is not alive.", "storm list"),
            new Known(new AlreadyAliveException("t1 is alive"), "a topology of that name is running: t1 is alive.", "storm kill"),
            new Known(new InvalidTopologyException("no spout"), "the topology is not valid: no spout.", "try again"),
            new Known(new AuthorizationException("not you"), "not allowed: not you.", "another user"),
            new Known(new KeyNotFoundException("k"), "no such blob: k.", "storm blobstore list"),
            new Known(new KeyAlreadyExistsException("k"), "the blob exists: k.", "storm blobstore update"),
            new Known(new DRPCExecutionException("timed out"), "the DRPC request failed: timed out.", "serves that function"));
    }

    @ParameterizedTest
    @MethodSource("thriftExceptions")
    void shouldReportTheMessageThatThriftHidesWhenACommandOrASubmissionFails(Known known) {
        for (FailureExplainer explainer : List.of(command, submission)) {
            String explanation = explainer.explain(new RuntimeException(new RuntimeException(known.thrown))).orElseThrow();
            assertTrue(explanation.startsWith(known.beginning), explanation);
            assertTrue(explanation.contains(known.remedy), explanation);
        }
    }

    @Test
    void shouldAddNothingToARefusalOfOursWhichNamesTheRemedy() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new TestWordSpout());
        Map<String, Object> conf = Map.of("topology.deadline.target.ms", 20, "topology.executor.threads", "own");
        Throwable refused = assertThrows(InvalidTopologyException.class, () -> new DeadlineSubmission().submitting(conf,
            builder.createTopology(), () -> fail("the cluster does not matter"), new HashMap<>()));

        assertEquals(Optional.of("the topology is not valid: topology.deadline.target.ms is 20 and needs executors that share threads: set"
            + " topology.executor.threads to auto or pool instead of own."), submission.explain(refused));
    }

    @Test
    void shouldSayThatTheRebalanceIsRefusedAndNotTheTopology() throws Exception {
        InvalidTopologyException answer = new InvalidTopologyException("Invalid component nosuch for topology t1");
        TMemoryBuffer wire = new TMemoryBuffer(1024);
        TBinaryProtocol protocol = new TBinaryProtocol(wire);
        Nimbus.rebalance_result result = new Nimbus.rebalance_result();
        result.set_ite(answer);
        protocol.writeMessageBegin(new TMessage("rebalance", TMessageType.REPLY, 1));
        result.write(protocol);
        protocol.writeMessageEnd();
        Nimbus.Client nimbus = new Nimbus.Client(protocol, new TBinaryProtocol(new TMemoryBuffer(1024)));

        Throwable refused = assertThrows(InvalidTopologyException.class, () -> nimbus.rebalance("t1", new RebalanceOptions()));

        assertEquals(Optional.of("the rebalance is refused: Invalid component nosuch for topology t1. Correct it and try again."),
            command.explain(refused));
    }

    @Test
    void shouldNameFileAndLineWhenTheConfigurationIsNotYaml() {
        Throwable bad = assertThrows(RuntimeException.class, () -> new Yaml().load("a: 1\nb: [1\nc: d: e\n"));

        String explanation = command.explain(new ExceptionInInitializerError(bad)).orElseThrow();

        assertTrue(explanation.startsWith("/conf/storm.yaml:3: not YAML: expected ',' or ']'"), explanation);
        assertTrue(explanation.endsWith("Correct that line."), explanation);
    }

    @Test
    void shouldNameTheFileWhenTheConfigurationIsNotEvenText() {
        Throwable bad = assertThrows(ReaderException.class, () -> new Yaml().load("a: \u0000"));

        assertTrue(command.explain(bad).orElseThrow().startsWith("/conf/storm.yaml: not YAML: "));
    }

    @Test
    void shouldNameTheFileWhenTheConfigurationIsNoMapping() {
        ClassCastException bad = new ClassCastException("String is no Map");
        bad.setStackTrace(new StackTraceElement[] {frame(Utils.class, "findAndReadConfigFile")});

        assertTrue(command.explain(bad).orElseThrow().startsWith("/conf/storm.yaml:1: not a mapping"));
    }

    @Test
    void shouldNameTheKeyAndWhereToCorrectItWhenAValueIsRefused() {
        Map<String, Object> configuration = new HashMap<>(Map.of(Config.TOPOLOGY_WORKERS, "many"));
        Throwable refused = assertThrows(IllegalArgumentException.class,
            () -> ConfigValidation.validateFields(configuration, List.of(Config.class)));

        String explanation = submission.explain(refused).orElseThrow();

        assertTrue(explanation.contains("topology.workers"), explanation);
        assertTrue(explanation.endsWith("Correct it where it is set: after -c, in /conf/storm.yaml, or in the code of the"
            + " topology."), explanation);
    }

    @Test
    void shouldSendNobodyToTheConfigurationWhenAnArgumentIsRefused() {
        IllegalArgumentException refused = new IllegalArgumentException("Topology name 'a/b' is not valid");
        refused.setStackTrace(new StackTraceElement[] {frame(Utils.class, "validateTopologyName")});

        assertEquals(Optional.of("Topology name 'a/b' is not valid. Correct it and try again."), submission.explain(refused));
    }

    @Test
    void shouldReportWhereNimbusWasLookedForWhenThereIsNone() {
        String expected = "no leading Nimbus found at n1:6627, n2:6627. Start one with `storm nimbus`, or name another with "
            + "nimbus.seeds and nimbus.thrift.port in /conf/storm.yaml or after -c; or the storm.yaml of its cluster with --config.";

        assertEquals(Optional.of(expected), submission.explain(new NimbusLeaderNotFoundException("none")));
        assertEquals(Optional.of(expected), submission.explain(connectionRefused(NimbusClient.class)));
    }

    @Test
    void shouldReportWhereTheServerWasLookedForWhenItDoesNotAnswer() {
        assertTrue(command.explain(connectionRefused(DRPCClient.class)).orElseThrow().startsWith("no DRPC server answers at d1:3772."));
        Throwable lost = new RuntimeException(KeeperException.create(KeeperException.Code.CONNECTIONLOSS, "/storm"));
        assertTrue(command.explain(lost).orElseThrow().startsWith("no ZooKeeper answers at z1:2181."));
    }

    @Test
    void shouldPointToTheLogOfNimbusWhenItFailsInside() {
        String explanation = command.explain(new TApplicationException("Internal error processing rebalance")).orElseThrow();

        assertTrue(explanation.startsWith("Nimbus at n1:6627, n2:6627 failed: Internal error processing rebalance."), explanation);
        assertTrue(explanation.contains("nimbus.log"), explanation);
    }

    @Test
    void shouldKeepTheStackTraceWhenATopologysOwnCodeFails() {
        assertEquals(Optional.empty(), submission.explain(new IllegalArgumentException("my own")));
        assertEquals(Optional.empty(), submission.explain(new FileNotFoundException("words.txt")));
        assertEquals(Optional.empty(), submission.explain(connectionRefused(FailureExplainerTest.class)));
    }

    @Test
    void shouldReportTheDeepestCauseInOneLineWhenACommandFailsInAnUnknownWay() {
        Throwable failure = new RuntimeException("outer", new IllegalStateException("line one\n   line two"));

        assertEquals(Optional.of("line one line two. Run it again with --debug for the stack trace."), command.explain(failure));
    }

    @Test
    void shouldPointToTheCommandLineWhenACommandRefusesAnArgument() {
        assertEquals(Optional.of("component: x not found. Correct the command line."),
            command.explain(new IllegalArgumentException("component: x not found")));
        String unknown = "stream: x not found.";
        assertEquals(
            Optional.of(unknown + " Storm knows a stream when tuples have gone through it: wait a minute, or name another with -s."),
            command.explain(new IllegalArgumentException(unknown)));
        assertEquals(Optional.of("x is not a running topology. `storm list` shows those that are."),
            command.explain(new IllegalArgumentException("x is not a running topology.")));
        assertEquals(Optional.of("java.lang.IllegalArgumentException. Correct the command line."),
            command.explain(new IllegalArgumentException("")));
    }

    @Test
    void shouldNameTheFileWhenACommandCannotFindIt() {
        assertEquals(Optional.of("no such file: creds.properties. Check the path."),
            command.explain(new RuntimeException(new FileNotFoundException("creds.properties"))));
    }

    @Test
    void shouldSayWhatIsWrongWithAFile() {
        assertEquals(Optional.of("/a/b is no directory. Check the path."), command.explain(new FileAlreadyExistsException("/a/b")));
        assertEquals(Optional.of("permission denied: /a/b. Name a file that you may write or read."),
            command.explain(new AccessDeniedException("/a/b")));
    }

    @Test
    void shouldEndWhenCausesFormACircle() {
        RuntimeException first = new RuntimeException("first");
        RuntimeException second = new RuntimeException("second", first);
        first.initCause(second);

        assertTrue(command.explain(first).isPresent());
    }

    private static Throwable connectionRefused(Class<?> client) {
        ConnectException refused = new ConnectException("Connection refused");
        TTransportException transport = new TTransportException(refused);
        transport.setStackTrace(new StackTraceElement[] {frame(client, "connect")});
        return new RuntimeException(transport);
    }

    private static StackTraceElement frame(Class<?> type, String method) {
        return new StackTraceElement(type.getName(), method, null, 1);
    }
}
