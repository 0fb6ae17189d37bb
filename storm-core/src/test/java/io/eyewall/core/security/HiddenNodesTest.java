package io.eyewall.core.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.storm.shade.org.apache.curator.framework.CuratorFramework;
import org.apache.storm.shade.org.apache.zookeeper.KeeperException;
import org.apache.storm.shade.org.apache.zookeeper.ZooDefs;
import org.apache.storm.testing.InProcessZookeeper;
import org.apache.storm.utils.CuratorUtils;
import org.apache.storm.utils.Utils;
import org.apache.storm.utils.ZookeeperAuthInfo;
import org.apache.storm.zookeeper.ClientZookeeper;
import org.junit.jupiter.api.Test;

/** A worker's session makes sure that there are nodes which Nimbus has made for itself. */
class HiddenNodesTest {

    @Test
    void shouldTakeANodeThatMayNotBeReadForOneThatIsThere() throws Exception {
        assertEquals("NoAuthException", Upstream.attackedBy(MakingSure.class));

        assertEquals("nothing", new MakingSure().call());
    }

    @Test
    void shouldStillMakeWhatIsMissingAndReadNothingThatIsHidden() throws Exception {
        try (InProcessZookeeper server = new InProcessZookeeper();
            CuratorFramework nimbus = MakingSure.session(server, "nimbus:secret");
            CuratorFramework worker = MakingSure.session(server, "worker:other")) {
            ClientZookeeper.mkdirs(nimbus, "/storm", ZooDefs.Ids.CREATOR_ALL_ACL);
            ClientZookeeper.mkdirs(worker, "/worker", ZooDefs.Ids.CREATOR_ALL_ACL);

            assertTrue(ClientZookeeper.existsNode(worker, "/worker", false));
            RuntimeException refused = assertThrows(RuntimeException.class, () -> ClientZookeeper.getData(worker, "/storm", false));
            assertTrue(Utils.exceptionCauseIsInstanceOf(KeeperException.NoAuthException.class, refused), refused::toString);
        }
    }

    /** Makes sure that there is a node of Nimbus's; returns what goes wrong. */
    static final class MakingSure implements Callable<String> {

        @Override
        public String call() throws Exception {
            try (InProcessZookeeper server = new InProcessZookeeper();
                CuratorFramework nimbus = session(server, "nimbus:secret");
                CuratorFramework worker = session(server, "worker:other")) {
                ClientZookeeper.mkdirs(nimbus, "/storm", ZooDefs.Ids.CREATOR_ALL_ACL);
                ClientZookeeper.mkdirs(worker, "/storm", ZooDefs.Ids.CREATOR_ALL_ACL);
                return "nothing";
            } catch (RuntimeException e) {
                return e.getCause().getClass().getSimpleName();
            }
        }

        static CuratorFramework session(InProcessZookeeper server, String secret) {
            return CuratorUtils.newCuratorStarted(Utils.readDefaultConfig(), List.of("localhost"), server.getPort(), "",
                new ZookeeperAuthInfo("digest", secret.getBytes(StandardCharsets.UTF_8)), ZooDefs.Ids.CREATOR_ALL_ACL);
        }
    }
}
