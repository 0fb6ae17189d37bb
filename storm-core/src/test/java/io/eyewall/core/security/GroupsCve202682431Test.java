package io.eyewall.core.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import javax.security.auth.Subject;
import org.apache.storm.security.auth.FixedGroupsMapping;
import org.apache.storm.security.auth.ReqContext;
import org.apache.storm.security.auth.SingleUserPrincipal;
import org.apache.storm.security.auth.authorizer.SimpleACLAuthorizer;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

/** Who may call Nimbus when there are groups and no users. */
class GroupsCve202682431Test {

    @Test
    void shouldAskForGroupsWhereThereAreNoUsers() throws Exception {
        assertEquals(true, Upstream.attackedBy(Group.class));

        assertFalse(new Group().call());
        assertTrue(Group.isPermitted("alice", List.of("staff")));
        assertTrue(Group.isPermitted("mallory", List.of()));
    }

    /** Calls Nimbus without being in the groups that may. */
    static final class Group implements Callable<Boolean> {
        @Override
        public Boolean call() {
            return isPermitted("mallory", List.of("staff"));
        }

        static boolean isPermitted(String user, List<String> groups) {
            Map<String, Object> conf = Utils.readDefaultConfig();
            conf.put("nimbus.groups", groups);
            conf.put("storm.group.mapping.service", FixedGroupsMapping.class.getName());
            conf.put("storm.group.mapping.service.params",
                Map.of(FixedGroupsMapping.STORM_FIXED_GROUP_MAPPING, Map.of("alice", Set.of("staff"), "mallory", Set.of("guests"))));
            SimpleACLAuthorizer authorizer = new SimpleACLAuthorizer();
            authorizer.prepare(conf);
            Principal principal = new SingleUserPrincipal(user);
            return authorizer.permit(new ReqContext(new Subject(true, Set.of(principal), Set.of(), Set.of())), "submitTopology", Map.of());
        }
    }
}
