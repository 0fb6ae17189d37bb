package io.eyewall.web.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.eyewall.web.history.TopologyHistory;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.LocalCluster;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every address, by everybody: who has not logged in, a user, who may read the topology, who may change it, and an administrator. */
class AuthorizationTest {

    private static final String FORBIDDEN = "403";
    /** Events, which do not end, refuse a number that is none. */
    private static final String LAST = "Last-Event-ID";

    private static LocalCluster cluster;
    private static RunningUi ui;
    private static String id;

    @BeforeAll
    static void start() throws Exception {
        cluster = RunningUi.cluster();
        ui = RunningUi.of(cluster, Map.of("nimbus.authorizer", "org.apache.storm.security.auth.authorizer.SimpleACLAuthorizer",
            "nimbus.impersonation.authorizer", "org.apache.storm.security.auth.authorizer.ImpersonationAuthorizer",
            "nimbus.admins", List.of("ann"), "nimbus.users", List.of("ann", "bert", "ray", "zoe")));
        id = RunningUi.submit(cluster, "guarded", Map.of("topology.users", List.of("bert"), "topology.readonly.users", List.of("ray")));
    }

    @AfterAll
    static void end() throws Exception {
        ui.close();
        cluster.close();
    }

    @Test
    void shouldDeclareAnOperationForEveryAddressExceptTwo() {
        Map<String, Object> conf = Utils.readDefaultConfig();
        List<Route> open = routes(conf).stream().filter(route -> route.operation().isEmpty()).toList();

        assertEquals(List.of("session", "openapi.json"), open.stream().map(Route::pattern).toList());
        assertTrue(open.stream().noneMatch(Route::action));
    }

    @Test
    void shouldLetEverybodyDoExactlyWhatNimbusWould() throws Exception {
        Map<String, List<String>> refused = new LinkedHashMap<>();
        for (Route route : routes(Utils.readDefaultConfig())) {
            for (String method : route.methods()) {
                for (String user : List.of("", "zoe", "ray", "bert", "ann")) {
                    int status = user.isEmpty() ? ui.send(method, path(route), null, LAST, "x").status()
                        : ui.send(method, path(route), null, LAST, "x", "X-Test-User", user).status();
                    if (String.valueOf(status).equals(FORBIDDEN)) {
                        refused.computeIfAbsent(route.pattern() + " " + method, key -> new ArrayList<>()).add(user);
                    } else {
                        assertTrue(status < 500, route + " for " + user + ": " + status);
                    }
                }
                assertEquals(expectedRefusals(route), refused.getOrDefault(route.pattern() + " " + method, List.of()), route.toString());
            }
        }
    }

    @Test
    void shouldShareNoAnswerWithWhoMayNotSeeItOrIsNamedInIt() throws Exception {
        String path = "topology/" + id;
        for (int round = 0; round < 2; round++) {
            for (String user : List.of("ann", "zoe", "bert", "ray")) {
                RunningUi.Answer answer = ui.get(path, "X-Test-User", user, "Cache-Control", "max-age=10");
                assertEquals(user.equals("zoe") ? 403 : 200, answer.status(), user);
                assertEquals(user.equals("zoe") ? "" : user, answer.json().path("user").asText());
                // Everybody may act for oneself.
                assertEquals(user.equals("ann") ? 200 : 403,
                    ui.get(path, "X-Test-User", user, "doAsUser", "ann", "Cache-Control", "max-age=10").status(), user);
            }
            assertEquals(403, ui.get(path, "Cache-Control", "max-age=10").status());
        }
    }

    @Test
    void shouldLetOnlyThoseActForOthersWhoMay() throws Exception {
        assertEquals(403, ui.get("cluster/summary", "X-Test-User", "zoe", "doAsUser", "ann").status());
        assertEquals(403, ui.get("cluster/summary?doAsUser=ann", "X-Test-User", "zoe").status());
    }

    @Test
    void shouldNameTheUserInTheRefusal() throws Exception {
        assertEquals("The user 'zoe' may not do killTopology with the topology '" + id + "'.",
            ui.post("topology/" + id + "/kill/0", "", "X-Test-User", "zoe").json().get("errorMessage").asText());
        assertNotEquals(200, ui.get("topology/" + id).status());
    }

    private static List<Route> routes(Map<String, Object> conf) {
        return new ApiServlet(conf, false, TopologyHistory.none("No history in this test."), InstantSource.system()).routes();
    }

    private static List<String> expectedRefusals(Route route) {
        if (route.operation().isEmpty()) {
            return List.of();
        }
        if (!route.ofTopology()) {
            return List.of("");
        }
        return route.action() ? List.of("", "zoe", "ray") : List.of("", "zoe");
    }

    /** An address of the route which changes nothing when it is allowed, since what varies in it is not right. */
    private static String path(Route route) {
        return route.pattern().replace("{id}", id).replace("{component}", "words").replaceAll("\\{\\w+}", "x");
    }
}
